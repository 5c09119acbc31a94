#if ServiceLifecycle
  import Escapement
  import EscapementClocks
  import EscapementTesting
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct ScheduledTaskServiceTests {
    let clock = TestClock()
    let runs = Log<WallClock.Instant>()
    private let start = instant(2026, 1, 1)

    private struct Failure: Error {}

    private func service(
      _ schedule: Schedule, missed: MissedRuns = .runOnce, lastRun: WallClock.Instant? = nil,
      runsAtStart: Bool = false,
      launch: (@Sendable (WallClock.Instant) async throws -> Void)? = nil
    ) -> ScheduledTaskService {
      ScheduledTaskService(
        on: schedule, missed: missed, lastRun: lastRun, runsAtStart: runsAtStart,
        clock: WallClock(startingAt: start, movingWith: clock),
        launch: launch ?? { [runs] in runs.append($0) })
    }

    @Test func `the service launches its task on its schedule until graceful shutdown`()
      async throws
    {
      let service = service(try .daily(at: "03:00", in: .utc), runsAtStart: true)
      try await testGracefulShutdown { trigger in
        try await withThrowingTaskGroup { group in
          group.addTask { try await service.run() }
          await runs.wait(for: 1)
          for count in 2...3 {
            try await clock.waitForSleepers(count: 1)
            await clock.advanceToNextDeadline()
            await runs.wait(for: count)
          }
          try await clock.waitForSleepers(count: 1)
          trigger.triggerGracefulShutdown()
          try await group.waitForAll()
        }
      }
      #expect(runs.entries == [start, instant(2026, 1, 1, 3), instant(2026, 1, 2, 3)])
      try await clock.checkSuspension()
    }

    @Test func `the runs since the last stored one take place at the start`() async throws {
      let service = service(
        try .daily(at: "03:00", in: .utc), missed: .catchUp(atMost: 2),
        lastRun: instant(2025, 12, 20, 3))
      let task = Task { try await service.run() }
      await runs.wait(for: 2)
      #expect(runs.entries == [instant(2025, 12, 30, 3), instant(2025, 12, 31, 3)])
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `shutdown ends the runs that are still to be caught up`() async throws {
      try await testGracefulShutdown { trigger in
        let service = service(
          try .daily(at: "03:00", in: .utc), missed: .catchUp(atMost: 9),
          lastRun: instant(2025, 12, 20, 3)
        ) { [runs] run in
          runs.append(run)
          trigger.triggerGracefulShutdown()
        }
        try await service.run()
      }
      #expect(runs.count == 1)
    }

    @Test func `after the last run the service waits for the shutdown`() async throws {
      let service = service(try .every(.seconds(60)).ending(at: start.advanced(by: .seconds(60))))
      let returned = Log<Void>()
      try await testGracefulShutdown { trigger in
        try await withThrowingTaskGroup { group in
          group.addTask {
            try await service.run()
            returned.append(())
          }
          try await clock.waitForSleepers(count: 1)
          await clock.advanceToNextDeadline()
          await runs.wait(for: 1)
          await clock.advance(by: .seconds(1_000))
          #expect(returned.count == 0)
          trigger.triggerGracefulShutdown()
          try await group.waitForAll()
        }
      }
      #expect(runs.count == 1)
    }

    @Test func `an error of the task ends the service`() async throws {
      let service = service(try .every(.seconds(60)), runsAtStart: true) { _ in throw Failure() }
      await #expect(throws: Failure.self) { try await service.run() }
    }

    @Test func `a policy with an argument that is not valid is refused`() async throws {
      let service = service(try .every(.seconds(60)), missed: .catchUp(atMost: 0))
      let error = await #expect(throws: InvalidArgumentError.self) { try await service.run() }
      #expect(error?.argument == "atMost")
    }

    @Test func `a number of runs that is not valid is refused`() async throws {
      let schedule = try Schedule.every(.seconds(60))
      let service = ScheduledTaskService(on: schedule, overlap: .atMost(0)) { _ in }
      await #expect(throws: InvalidArgumentError.self) { try await service.run() }
      let periodic = PeriodicTaskService(every: .seconds(60), overlap: .atMost(-1)) {}
      await #expect(throws: InvalidArgumentError.self) { try await periodic.run() }
    }

    @Test func `a run that fails ends the service while others are open`() async throws {
      let service = ScheduledTaskService(on: try .every(.seconds(60)), overlap: .atMost(3)) { _ in
        throw Failure()
      }
      await #expect(throws: Failure.self) { try await service.run() }
    }
  }
#endif
