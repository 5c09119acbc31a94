#if ServiceLifecycle
  import Escapement
  import EscapementTesting
  import ServiceLifecycle
  import ServiceLifecycleTestKit
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct ScheduledJobsTests {
    private struct Failure: Error {}

    private let time = VirtualTime.current!
    private let log = Log<String>()
    private let start = WallClock().now

    /// Runs the jobs, and shuts them down gracefully after the body.
    private func run(
      _ jobs: ScheduledJobs, _ body: @escaping @Sendable () async throws -> Void
    ) async throws {
      try await testGracefulShutdown { trigger in
        try await withThrowingTaskGroup { group in
          group.addTask { try await jobs.run() }
          try await body()
          trigger.triggerGracefulShutdown()
          try await group.waitForAll()
        }
      }
    }

    private func entry(_ name: String) -> @Sendable (WallClock.Instant) -> Void {
      { [log, start] in log.append("\(name) \(start.duration(to: $0))") }
    }

    @Test func `jobs run on their schedules, and are listed with their next and last runs`()
      async throws
    {
      let jobs = ScheduledJobs()
      try jobs.add("slow", on: try .every(.seconds(60)), launch: entry("slow"))
      try jobs.add("fast", on: try .every(.seconds(20)), launch: entry("fast"))
      #expect(jobs.all.map(\.name) == ["fast", "slow"])
      #expect(jobs.all.map(\.last) == [nil, nil])
      try await run(jobs) {
        try await time.sleep(for: .seconds(70))
      }
      #expect(
        log.entries.sorted() == [
          "fast 20.0 seconds", "fast 40.0 seconds", "fast 60.0 seconds", "slow 60.0 seconds",
        ])
      #expect(
        jobs.all.map(\.next?.offset) == [
          start.offset + .seconds(80), start.offset + .seconds(120),
        ])
      #expect(jobs.all.allSatisfy { $0.last == start.advanced(by: .seconds(60)) })
    }

    @Test func `a job that is paused does not run, and makes up for nothing`() async throws {
      let jobs = ScheduledJobs()
      try jobs.add(
        "a", on: try .every(.seconds(10)), missed: .catchUp(atMost: 9), launch: entry("a"))
      try await run(jobs) {
        try await time.sleep(for: .seconds(15))
        try jobs.pause("a")
        #expect(jobs.all[0].isPaused)
        try await time.sleep(for: .seconds(20))
        try jobs.resume("a")
        try await time.sleep(for: .seconds(10))
      }
      #expect(log.entries == ["a 10.0 seconds", "a 40.0 seconds"])
      #expect(!jobs.all[0].isPaused)
    }

    @Test func `a run that throws is a failure of its job, which goes on`() async throws {
      let jobs = ScheduledJobs(onEvent: { [log] in
        if case .ended(let error) = $1 { log.append("\($0) \(error == nil ? "done" : "failed")") }
      })
      try jobs.add("a", on: try .every(.seconds(10))) { [start] in
        if $0 == start.advanced(by: .seconds(10)) { throw Failure() }
      }
      try await run(jobs) {
        try await time.sleep(for: .seconds(15))
        #expect(jobs.all[0].failure == "Failure()")
        try await time.sleep(for: .seconds(10))
      }
      #expect(log.entries == ["a failed", "a done"])
      #expect(jobs.all[0].failure == nil)
    }

    @Test func `a job may be added while others run, and ends its run at a shutdown`() async throws
    {
      let jobs = ScheduledJobs()
      try await run(jobs) {
        try await time.sleep(for: .seconds(5))
        try jobs.add("a", on: try .every(.seconds(10))) { [time, log] _ in
          try await time.sleep(for: .seconds(30))
          log.append("done")
        }
        try await time.sleep(for: .seconds(12))
        #expect(jobs.all[0].running == 1)
      }
      #expect(log.entries == ["done"])
      #expect(jobs.all[0].running == 0)
    }

    @Test func `names and arguments that are not valid are refused`() throws {
      let jobs = ScheduledJobs()
      let schedule = try Schedule.every(.seconds(1))
      try jobs.add("a", on: schedule) { _ in }
      for refused in [
        #expect(throws: InvalidArgumentError.self) { try jobs.add("a", on: schedule) { _ in } },
        #expect(throws: InvalidArgumentError.self) { try jobs.pause("b") },
        #expect(throws: InvalidArgumentError.self) { try jobs.resume("b") },
      ] {
        #expect(refused?.argument == "name")
      }
      let error = #expect(throws: InvalidArgumentError.self) {
        try jobs.add("c", on: schedule, overlap: .atMost(0)) { _ in }
      }
      #expect(error?.argument == "atMost")
      #expect(jobs.all.map(\.name) == ["a"])
    }

    @Test func `jobs that are cancelled throw so`() async throws {
      let jobs = ScheduledJobs()
      try jobs.add("a", on: try .every(.seconds(10)), launch: entry("a"))
      let running = Task { try await jobs.run() }
      try await time.sleep(for: .seconds(15))
      running.cancel()
      await #expect(throws: CancellationError.self) { try await running.value }
    }
  }
#endif
