/// Plays sound; slow, hence an actor.
public actor AudioEngine {
  public private(set) var isPlaying = false

  public init() {}

  public func play() { isPlaying = true }
  public func pause() { isPlaying = false }
}

/// The buttons of a player.
public protocol PlayerControls: SendableMetatype {
  init(engine: AudioEngine)
  func play()
  func pause()
  /// Returns when all that was asked for is done.
  func finish() async
}

/// Sends each command off in a task of its own: they arrive in any order.
public final class RacyPlayerControls: PlayerControls, @unchecked Sendable {
  // Used by one task only.
  private let engine: AudioEngine
  private var commands: [Task<Void, Never>] = []

  public init(engine: AudioEngine) { self.engine = engine }

  public func play() { commands.append(Task { [engine] in await engine.play() }) }
  public func pause() { commands.append(Task { [engine] in await engine.pause() }) }
  public func finish() async { for command in commands { await command.value } }
}

/// Sends commands through a stream, which keeps their order.
public final class FixedPlayerControls: PlayerControls, Sendable {
  private let commands: AsyncStream<Bool>.Continuation
  private let worker: Task<Void, Never>

  public init(engine: AudioEngine) {
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    commands = continuation
    worker = Task {
      for await plays in stream {
        if plays { await engine.play() } else { await engine.pause() }
      }
    }
  }

  public func play() { commands.yield(true) }
  public func pause() { commands.yield(false) }

  public func finish() async {
    commands.finish()
    await worker.value
  }
}
