import EscapementVirtualTime
import TestSupport
import Testing

/// Serves requests in a task that it starts when it is made, as long as the process lives.
private final class Pump: Sendable {
  private let requests: AsyncStream<UnsafeContinuation<VirtualTime.ID?, Never>>.Continuation
  private let hasStopped = Flag()

  init() {
    let (stream, requests) = AsyncStream.makeStream(
      of: UnsafeContinuation<VirtualTime.ID?, Never>.self)
    self.requests = requests
    Task { [hasStopped] in
      for await request in stream { request.resume(returning: VirtualTime.current?.id) }
      hasStopped.set()
    }
  }

  var isRunning: Bool { !hasStopped.isSet }

  /// Asks the pump's task for its scope.
  func scope() async -> VirtualTime.ID? { await withUnsafeContinuation { requests.yield($0) } }
}

private enum Shared {
  static let ofAType = Pump()
  static let onTheMainActor = Pump()
  static let nested = Outer()
}

private let global = Pump()

/// Makes another one in its own initialiser.
private final class Outer: Sendable {
  let pump = Pump()
}

private actor Queue {
  static let shared = Queue()
  private let pump = Pump()
  func isRunning() -> Bool { pump.isRunning }
  func scope() async -> VirtualTime.ID? { await pump.scope() }
}

/// What is made once, when it is first needed, belongs to the process and not to the scope that runs
/// then.
@Suite(.virtualStandardClocks) struct OnceInitialisersTests {
  /// Lets a scope be the first that needs the pump.
  private func expectOutlivesScope(_ pump: @escaping @Sendable () async -> Pump) async throws {
    let issues = try await issues {
      try await withVirtualTime { time in
        let pump = await pump()
        await time.settle()
        #expect(pump.isRunning)
        #expect(await time.hold { await pump.scope() } == nil)
      }
    }
    #expect(issues.map(\.message) == [])
    let pump = await pump()
    try #require(pump.isRunning)
    #expect(await pump.scope() == nil)
  }

  @Test func `a task of a static property outlives the scope that first used it`() async throws {
    try await expectOutlivesScope { Shared.ofAType }
  }

  @Test func `a task of a global constant outlives the scope that first used it`() async throws {
    try await expectOutlivesScope { global }
  }

  @Test func `so does one that the main actor was the first to need`() async throws {
    try await expectOutlivesScope { await MainActor.run { Shared.onTheMainActor } }
  }

  @Test func `so does one that is made inside the initialiser of another object`() async throws {
    try await expectOutlivesScope { Shared.nested.pump }
  }

  @Test func `so does one of a shared actor`() async throws {
    try await withVirtualTime { time in
      #expect(await time.hold { await Queue.shared.scope() } == nil)
    }
    try #require(await Queue.shared.isRunning())
    #expect(await Queue.shared.scope() == nil)
  }

  @Test func `an object that is no singleton belongs to the scope that makes it`() async throws {
    try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { time in
      #expect(await Pump().scope() == time.id)
    }
  }
}
