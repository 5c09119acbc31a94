/// Plays sound; slow, hence an actor.
package actor AudioEngine {
  package private(set) var isPlaying = false

  package init() {}

  package func play() { isPlaying = true }
  package func pause() { isPlaying = false }
}

/// The buttons of a player.
package protocol PlayerControls: SendableMetatype {
  init(engine: AudioEngine)
  func play()
  func pause()
  /// Returns when all that was asked for is done.
  func finish() async
}

/// Sends each command off in a task of its own: they arrive in any order.
package final class RacyPlayerControls: PlayerControls, @unchecked Sendable {
  // Used by one task only.
  private let engine: AudioEngine
  private var commands: [Task<Void, Never>] = []

  package init(engine: AudioEngine) { self.engine = engine }

  package func play() { commands.append(Task { [engine] in await engine.play() }) }
  package func pause() { commands.append(Task { [engine] in await engine.pause() }) }
  package func finish() async { for command in commands { await command.value } }
}

/// Sends commands through a stream, which keeps their order.
package final class FixedPlayerControls: PlayerControls, Sendable {
  private let commands: AsyncStream<Bool>.Continuation
  private let worker: Task<Void, Never>

  package init(engine: AudioEngine) {
    let (stream, continuation) = AsyncStream.makeStream(of: Bool.self)
    commands = continuation
    worker = Task {
      for await plays in stream {
        if plays { await engine.play() } else { await engine.pause() }
      }
    }
  }

  package func play() { commands.yield(true) }
  package func pause() { commands.yield(false) }

  package func finish() async {
    commands.finish()
    await worker.value
  }
}
