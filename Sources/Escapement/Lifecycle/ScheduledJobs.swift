#if ServiceLifecycle
  public import ServiceLifecycle
  import _EscapementCore

  /// The jobs of a server by their names: when each runs next, how its last run went, and whether it
  /// is paused.
  ///
  /// ```swift
  /// let jobs = ScheduledJobs()
  /// try jobs.add("report", on: try .daily(at: "06:00", in: berlin)) { run in
  ///   try await reports.send(for: run)
  /// }
  /// let group = ServiceGroup(services: [server, jobs], logger: logger)
  /// ```
  ///
  /// It runs each job as a ``ScheduledTaskService`` does, but an error ends only the run that throws
  /// it. Jobs may be added while others run.
  ///
  /// This type exists with the package trait `ServiceLifecycle`.
  public final class ScheduledJobs: Service {
    /// A job, and its present state.
    public struct Job: Hashable, Sendable {
      /// The name of the job.
      public let name: String
      /// The next run of the schedule; `nil` if there is none.
      public let next: WallClock.Instant?
      /// The last run that has begun, in this process.
      public let last: WallClock.Instant?
      /// The error of the last run that has ended, in words; `nil` if it has thrown none.
      public let failure: String?
      /// How many runs have begun and not ended.
      public let running: Int
      /// Whether runs that are due do not take place.
      public let isPaused: Bool
    }

    private struct Entry {
      let schedule: Schedule
      var last: WallClock.Instant?
      var failure: String?
      var running = 0
      var isPaused = false
    }

    private let clock: WallClock
    private let onEvent: (@Sendable (_ job: String, BlockEvent) -> Void)?
    private let entries = Lock<[String: Entry]>([:])
    private let added = AsyncStream.makeStream(of: ScheduledTaskService.self)

    /// Creates a list without jobs.
    ///
    /// - Parameters:
    ///   - clock: The clock with which the jobs wait.
    ///   - onEvent: Called for each event of a run, with the name of its job.
    public init(
      clock: WallClock = WallClock(),
      onEvent: (@Sendable (_ job: String, BlockEvent) -> Void)? = nil
    ) {
      self.clock = clock
      self.onEvent = onEvent
    }

    /// Adds a job, which runs as soon as `run()` is called.
    ///
    /// - Parameters:
    ///   - name: The name of the job, which no other job has.
    ///   - schedule: The instants at which to launch the task.
    ///   - missed: What happens to runs that could not begin in time.
    ///   - overlap: Whether a run may begin while another run has not ended.
    ///   - lastRun: The last run before the program was started, if it was stored.
    ///   - task: The task, which gets the instant of its run.
    /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
    public func add(
      _ name: String, on schedule: Schedule, missed: MissedRuns = .runOnce,
      overlap: OverlappingRuns = .forbid, lastRun: WallClock.Instant? = nil,
      launch task: @escaping @Sendable (WallClock.Instant) async throws -> Void
    ) throws(InvalidArgumentError) {
      if let invalid = missed.invalidArgument ?? overlap.invalidArgument { throw invalid }
      let isNew = entries.withLock { entries in
        guard entries[name] == nil else { return false }
        entries[name] = Entry(schedule: schedule)
        return true
      }
      guard isNew else {
        throw InvalidArgumentError("name", name, mustBe: "that of no other job")
      }
      added.continuation.yield(
        ScheduledTaskService(
          on: schedule, missed: missed, overlap: overlap, lastRun: lastRun, clock: clock
        ) { [weak self] in await self?.run(name, at: $0, task) })
    }

    /// Runs the jobs until the application shuts down; once.
    ///
    /// On graceful shutdown no further run begins, and the method returns when those that have begun
    /// have ended. On cancellation they are cancelled.
    ///
    /// - Throws: `CancellationError` when the service is cancelled.
    public func run() async throws {
      try await withGracefulShutdownHandler {
        try await withThrowingTaskGroup { group in
          for await job in added.stream { group.addTask { try await job.run() } }
          try await group.waitForAll()
        }
      } onGracefulShutdown: {
        self.added.continuation.finish()
      }
      try Task.checkCancellation()
    }

    /// The jobs, those with the next runs first.
    ///
    /// - Complexity: O(n log n) in the number of jobs.
    public var all: [Job] {
      let now = clock.now
      let jobs = entries.withLock { $0 }.map { name, entry in
        Job(
          name: name, next: entry.schedule.next(after: max(now, entry.last ?? now)),
          last: entry.last, failure: entry.failure, running: entry.running,
          isPaused: entry.isPaused)
      }
      return jobs.sorted {
        ($0.next?.offset ?? .seconds(Int64.max), $0.name)
          < ($1.next?.offset ?? .seconds(Int64.max), $1.name)
      }
    }

    /// Lets no run of a job take place until ``resume(_:)``; a run that has begun goes on.
    ///
    /// Runs that are due in the meantime are not made up for.
    ///
    /// - Throws: `InvalidArgumentError` if there is no job with the name.
    public func pause(_ name: String) throws(InvalidArgumentError) {
      try change(name) { $0.isPaused = true }
    }

    /// Lets the runs of a job take place again.
    ///
    /// - Throws: `InvalidArgumentError` if there is no job with the name.
    public func resume(_ name: String) throws(InvalidArgumentError) {
      try change(name) { $0.isPaused = false }
    }
  }

  extension ScheduledJobs {
    private func change(
      _ name: String, _ change: (inout Entry) -> Void
    ) throws(InvalidArgumentError) {
      let isKnown = entries.withLock { entries in
        guard entries[name] != nil else { return false }
        change(&entries[name]!)
        return true
      }
      guard isKnown else { throw InvalidArgumentError("name", name, mustBe: "that of a job") }
    }

    private func run(
      _ name: String, at instant: WallClock.Instant,
      _ task: @Sendable (WallClock.Instant) async throws -> Void
    ) async {
      let begins = entries.withLock { entries in
        guard !entries[name]!.isPaused else { return false }
        entries[name]!.running += 1
        entries[name]!.last = instant
        return true
      }
      guard begins else { return }
      var failure: String?
      do {
        let observer = EventObserver(of: name, onEvent)
        try await observer.perform(due: instant, on: clock) { try await task(instant) }
      } catch {
        failure = "\(error)"
      }
      entries.withLock { entries in
        entries[name]!.running -= 1
        entries[name]!.failure = failure
      }
    }
  }
#endif
