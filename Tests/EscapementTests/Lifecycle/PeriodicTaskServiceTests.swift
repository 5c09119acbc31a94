#if ServiceLifecycle
  import Escapement
  import EscapementClocks
  import EscapementTesting
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct PeriodicTaskServiceTests {
    let clock = TestClock()
    let runs = Log<Duration>()

    private struct Failure: Error {}

    private func tick() async throws {
      try await clock.waitForSleepers(count: 1)
      await clock.advanceToNextDeadline()
    }

    @Test func `the service launches its task at its interval until graceful shutdown`()
      async throws
    {
      let service = PeriodicTaskService(every: .seconds(10), clock: clock) { [clock, runs] in
        runs.append(clock.now.offset)
      }
      try await testGracefulShutdown { trigger in
        try await withThrowingTaskGroup { group in
          group.addTask { try await service.run() }
          for count in 1...3 {
            try await tick()
            await runs.wait(for: count)
          }
          try await clock.waitForSleepers(count: 1)
          trigger.triggerGracefulShutdown()
          try await group.waitForAll()
        }
      }
      #expect(runs.entries == [.seconds(10), .seconds(20), .seconds(30)])
      try await clock.checkSuspension()
    }

    @Test(arguments: [OverlappingRuns.forbid, .allow, .atMost(1), .atMost(2)])
    func `the service waits for a running task at shutdown and does not cancel it`(
      overlap: OverlappingRuns
    ) async throws {
      let gate = Log<Void>()
      let ended = Log<Bool>()
      let service = PeriodicTaskService(every: .seconds(10), overlap: overlap, clock: clock) {
        [runs] in
        runs.append(.zero)
        await Task.detached { await gate.wait(for: 1) }.value
        ended.append(Task.isCancelled)
      }
      try await testGracefulShutdown { trigger in
        try await withThrowingTaskGroup { group in
          group.addTask { try await service.run() }
          try await tick()
          await runs.wait(for: 1)
          trigger.triggerGracefulShutdown()
          #expect(ended.count == 0)
          gate.append(())
          try await group.waitForAll()
        }
      }
      #expect(ended.entries == [false])
      #expect(runs.count == 1)
    }

    @Test(arguments: [OverlappingRuns.forbid, .allow, .atMost(2)])
    func `the error of a run is not lost at shutdown`(overlap: OverlappingRuns) async throws {
      let service = PeriodicTaskService(every: .seconds(10), overlap: overlap, clock: clock) {
        [runs] in
        runs.append(.zero)
        throw Failure()
      }
      await #expect(throws: Failure.self) {
        try await testGracefulShutdown { trigger in
          try await withThrowingTaskGroup { group in
            group.addTask { try await service.run() }
            try await tick()
            await runs.wait(for: 1)
            trigger.triggerGracefulShutdown()
            try await group.waitForAll()
          }
        }
      }
    }

    @Test(arguments: [OverlappingRuns.forbid, .allow, .atMost(2)])
    func `on cancellation the service cancels the run and throws its error`(
      overlap: OverlappingRuns
    ) async throws {
      let service = PeriodicTaskService(every: .seconds(10), overlap: overlap, clock: clock) {
        [clock] in
        try await clock.sleep(for: .seconds(100))
      }
      let task = Task { try await service.run() }
      try await tick()
      try await clock.waitForSleepers(count: overlap == .forbid ? 1 : 2)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      try await clock.checkSuspension()
    }

    @Test func `an error of the task ends the service`() async throws {
      let service = PeriodicTaskService(every: .seconds(10), clock: clock) { throw Failure() }
      let task = Task { try await service.run() }
      try await tick()
      await #expect(throws: Failure.self) { try await task.value }
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `an interval that is not positive is refused`(interval: Duration) async {
      let service = PeriodicTaskService(every: interval, clock: clock) {}
      let error = await #expect(throws: InvalidArgumentError.self) { try await service.run() }
      #expect(error?.argument == "interval")
    }
  }
#endif
