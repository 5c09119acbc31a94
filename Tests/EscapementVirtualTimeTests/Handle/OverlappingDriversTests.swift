import EscapementClocks
import EscapementVirtualTime
import Synchronization
import TestSupport
import Testing
import _EscapementCore

private actor OwnThread {
  nonisolated let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// Works until the flag is set, but not for long, then advances; returns how far time has moved.
  func advance(_ time: VirtualTime, by duration: Duration, after flag: Flag) async -> Duration {
    for _ in 0..<10_000 where !flag.isSet { keepBusy(20) }
    return await advance(time, by: duration)
  }

  /// Advances; returns how far time has moved.
  func advance(_ time: VirtualTime, by duration: Duration) async -> Duration {
    let start = time.now
    await time.advance(by: duration)
    return start.duration(to: time.now)
  }
}

/// One moves time while another does.
@Suite(.virtualStandardClocks) struct OverlappingDriversTests {
  @Test(.timeLimit(.minutes(60)))
  func `time moves as far as it should when another clock's last step begins the advance`()
    async throws
  {
    try await withVirtualTime { time in
      let (actor, isAsked) = (OwnThread(), Flag())
      let moved = Task { await actor.advance(time, by: .seconds(1), after: isAsked) }
      await SettlingScope.current?.repeatWhenIdle {
        isAsked.set()
        // The actor's thread comes as far as the advance before this clock says that it is done.
        actor.executor.finishJobs()
        return false
      }
      #expect(await moved.value == .seconds(1))
      #expect(time.now.offset == .seconds(1))
    }
  }

  @Test func `time moves as far as it should while a test clock advances`() async throws {
    try await withVirtualTime { time in
      let (actor, clock) = (OwnThread(), TestClock())
      for _ in 1...1_000 {
        let moved = Task {
          try await clock.sleep(for: .seconds(1))
          return await actor.advance(time, by: .seconds(1))
        }
        await clock.advance(by: .seconds(1))
        try #require(try await moved.value == .seconds(1))
      }
      #expect(time.now.offset == .seconds(1_000))
    }
  }
}
