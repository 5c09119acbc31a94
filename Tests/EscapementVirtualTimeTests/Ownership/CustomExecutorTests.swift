import EscapementVirtualTime
import TestSupport
import Testing

private actor OwnThread {
  private nonisolated let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func work() { keepBusy() }

  func nap() async throws -> Duration {
    try await measure {
      keepBusy()
      try await Task.sleep(for: .seconds(1))
      keepBusy()
    }
  }

  func firstElement(_ stream: AsyncStream<Int>) async -> Int? {
    for await element in stream {
      keepBusy()
      return element
    }
    return nil
  }

  func holding(_ time: VirtualTime) async -> VirtualTime.ID? {
    await time.hold { await resumedByForeignThread() }
    return VirtualTime.current?.id
  }
}

/// Keeps a timer in the scope, so that time could move at any moment.
private func beat() -> Task<Void, any Error> {
  Task { while true { try await Task.sleep(for: .milliseconds(1)) } }
}

/// Actors of a scope that run on threads of their own.
@Suite(.virtualStandardClocks) struct CustomExecutorTests {
  @Test func `time does not move while an actor works on a thread of its own`() async throws {
    try await withVirtualTime { time in
      let (actor, beat) = (OwnThread(), beat())
      for _ in 0..<50 { #expect(await measure { await actor.work() } == .zero) }
      beat.cancel()
    }
  }

  @Test func `a sleep of an actor on a thread of its own lasts as long as it should`() async throws
  {
    try await withVirtualTime { time in
      let (actor, beat) = (OwnThread(), beat())
      for _ in 0..<50 { try #require(try await actor.nap() == .seconds(1)) }
      #expect(time.now.offset == .seconds(50))
      beat.cancel()
    }
  }

  @Test func `time waits for an actor that the scope's own code has resumed`() async throws {
    try await withVirtualTime { time in
      let (actor, beat) = (OwnThread(), beat())
      for _ in 0..<50 {
        let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
        async let first = actor.firstElement(stream)
        try await Task.sleep(for: .seconds(1))
        let start = time.now
        continuation.yield(7)
        let element = await first
        #expect(element == 7)
        #expect(time.now == start)
      }
      #expect(time.now.offset == .seconds(50))
      beat.cancel()
    }
  }

  @Test func `an actor with an executor of its own can hold time`() async throws {
    let issues = try await issues {
      try await withVirtualTime(VirtualTimeOptions(jobLimit: 10_000)) { time in
        let actor = OwnThread()
        for _ in 0..<20 { #expect(await actor.holding(time) == time.id) }
        #expect(time.now.offset == .zero)
      }
    }
    #expect(issues.map(\.message) == [])
  }

  @Test func `two scopes that share an actor with an executor of its own are both exact`()
    async throws
  {
    let actor = OwnThread()
    try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          try await withVirtualTime { time in
            let beat = beat()
            for _ in 0..<50 {
              #expect(await measure { await actor.work() } == .zero)
              try #require(try await actor.nap() == .seconds(1))
            }
            #expect(time.now.offset == .seconds(50))
            beat.cancel()
          }
        }
      }
      try await group.waitForAll()
    }
  }
}
