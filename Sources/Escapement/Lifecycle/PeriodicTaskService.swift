#if ServiceLifecycle
  import _EscapementCore
  public import EscapementClocks
  public import ServiceLifecycle

  /// A periodic task as a service that ends when the application shuts down.
  ///
  /// ```swift
  /// let cleanUp = PeriodicTaskService(every: .seconds(3600)) { try await store.removeExpired() }
  /// let group = ServiceGroup(services: [server, cleanUp], logger: logger)
  /// ```
  ///
  /// - On graceful shutdown the service does not begin another run. It returns when the current run
  ///   has ended. The run can check `Task.isShuttingDownGracefully`.
  /// - On cancellation the service cancels the current run and waits for its end.
  /// - When a run throws, the service throws that error; if runs may overlap, at the next tick.
  ///
  /// This type exists with the package trait `ServiceLifecycle`.
  public struct PeriodicTaskService<C: Clock<Duration>>: Service {
    private let loop: PeriodicLoop<C>
    private let observer: EventObserver
    private let task: @Sendable () async throws -> Void

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - interval: The time from one tick to the next. The first tick is one interval after the
    ///     call of `run()`. If the interval is not positive, `run()` throws an
    ///     `InvalidArgumentError`.
    ///   - missed: Which ticks follow a run of the task that takes longer than the interval.
    ///   - overlap: Whether a tick may start a run while another run has not ended. If its argument
    ///     is not valid, `run()` throws an `InvalidArgumentError`.
    ///   - clock: The clock with which the service waits.
    ///   - onEvent: Called for each event of a run.
    ///   - task: The task to launch at each tick.
    public init(
      every interval: Duration,
      missed: MissedTicks = .skip,
      overlap: OverlappingRuns = .forbid,
      clock: C = ContinuousClock(),
      onEvent: (@Sendable (BlockEvent) -> Void)? = nil,
      launch task: @escaping @Sendable () async throws -> Void
    ) {
      loop = PeriodicLoop(clock: clock, interval: interval, missed: missed, overlap: overlap)
      observer = EventObserver(onEvent)
      self.task = task
    }

    /// Launches the task until the application shuts down.
    ///
    /// - Throws: The error of a run; `InvalidArgumentError`; or `CancellationError` when the
    ///   service is cancelled.
    public func run() async throws {
      guard loop.interval > .zero else {
        throw InvalidArgumentError("interval", loop.interval, mustBe: "positive")
      }
      if let invalid = loop.overlap.invalidArgument { throw invalid }
      let clock = loop.clock
      do {
        try await loop.run(from: clock.now) { deadline in
          // Shutdown ends only the wait. The current run goes on to its end.
          try await cancelWhenGracefulShutdown {
            try await clock.sleep(until: deadline, tolerance: nil)
          }
          guard !Task.isShuttingDownGracefully else { throw CancellationError() }
        } task: { due in
          try await observer.perform(due: due, on: clock) { try await task() }
        }
      } catch is CancellationError where Task.isShuttingDownGracefully && !Task.isCancelled {
        return
      }
    }
  }
#endif
