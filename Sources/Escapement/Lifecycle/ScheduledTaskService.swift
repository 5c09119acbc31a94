#if ServiceLifecycle
  import _EscapementCore
  public import ServiceLifecycle

  /// A task on a schedule as a service that ends when the application shuts down.
  ///
  /// ```swift
  /// let report = ScheduledTaskService(on: try .daily(at: "06:00", in: berlin)) { run in
  ///   try await reports.send(for: run)
  /// }
  /// ```
  ///
  /// - On graceful shutdown the service does not begin another run. It returns when the current run
  ///   has ended. The run can check `Task.isShuttingDownGracefully`.
  /// - On cancellation the service cancels the current run and waits for its end.
  /// - When a run throws, the service throws that error; if runs may overlap, at the next tick.
  /// - After the last run of a schedule that ends, the service waits for the shutdown.
  ///
  /// This type exists with the package trait `ServiceLifecycle`.
  public struct ScheduledTaskService: Service {
    private let loop: ScheduleLoop
    private let observer: EventObserver
    private let task: @Sendable (WallClock.Instant) async throws -> Void

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - schedule: The instants at which to launch the task.
    ///   - missed: What happens to runs that could not begin in time. If its argument is not valid,
    ///     `run()` throws an `InvalidArgumentError`.
    ///   - overlap: Whether a run may begin while another run has not ended. If its argument is not
    ///     valid, `run()` throws an `InvalidArgumentError`.
    ///   - lastRun: The last run before the program was started, if it was stored. The runs since
    ///     then are missed.
    ///   - runsAtStart: Whether a run also begins when the service starts.
    ///   - clock: The clock with which the service waits.
    ///   - onEvent: Called for each event of a run.
    ///   - task: The task, which gets the instant of its run.
    public init(
      on schedule: Schedule,
      missed: MissedRuns = .runOnce,
      overlap: OverlappingRuns = .forbid,
      lastRun: WallClock.Instant? = nil,
      runsAtStart: Bool = false,
      clock: WallClock = WallClock(),
      onEvent: (@Sendable (BlockEvent) -> Void)? = nil,
      launch task: @escaping @Sendable (WallClock.Instant) async throws -> Void
    ) {
      loop = ScheduleLoop(
        schedule: schedule, missed: missed, overlap: overlap, clock: clock, lastRun: lastRun,
        runsAtStart: runsAtStart)
      observer = EventObserver(onEvent)
      self.task = task
    }

    /// Launches the task until the application shuts down.
    ///
    /// - Throws: The error of a run; `InvalidArgumentError`; or `CancellationError` when the
    ///   service is cancelled.
    public func run() async throws {
      if let invalid = loop.missed.invalidArgument ?? loop.overlap.invalidArgument { throw invalid }
      let clock = loop.clock
      do {
        try await loop.run { deadline in
          // Shutdown ends only the wait. The current run goes on to its end.
          try await cancelWhenGracefulShutdown {
            try await clock.sleepUnlessCorrected(until: deadline)
          }
          guard !Task.isShuttingDownGracefully else { throw CancellationError() }
        } task: { instant in
          try await observer.perform(due: instant, on: clock) { try await task(instant) }
        }
        try await gracefulShutdown()
      } catch is CancellationError where Task.isShuttingDownGracefully && !Task.isCancelled {
        return
      }
    }
  }
#endif
