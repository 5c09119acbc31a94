#if ServiceLifecycle
  import _EscapementCore
  public import EscapementClocks
  public import ServiceLifecycle

  /// A periodic task as a service, which ends when the application shuts down.
  ///
  /// ```swift
  /// let cleanUp = PeriodicTaskService(every: .seconds(3600)) { try await store.removeExpired() }
  /// let group = ServiceGroup(services: [server, cleanUp], logger: logger)
  /// ```
  ///
  /// - On graceful shutdown it does not begin another run, and returns when the run that is under way
  ///   has ended. The run can find out with `Task.isShuttingDownGracefully`.
  /// - On cancellation the run that is under way is cancelled, and waited for.
  /// - When a run throws, the service throws that error.
  ///
  /// Exists with the package trait `ServiceLifecycle`.
  public struct PeriodicTaskService<C: Clock<Duration>>: Service {
    private let loop: PeriodicLoop<C>
    private let task: @Sendable () async throws -> Void

    /// Creates a service.
    ///
    /// - Parameters:
    ///   - interval: The time from one tick to the next; the first tick is one interval after the
    ///     service is run. If it is not positive, the service throws an ``InvalidArgumentError``.
    ///   - missed: What follows a run of the task that takes longer than the interval.
    ///   - overlap: Whether a tick may start a run while another one is under way.
    ///   - clock: The clock that the service waits with.
    ///   - task: What is launched at each tick.
    public init(
      every interval: Duration,
      missed: MissedTicks = .skip,
      overlap: OverlappingRuns = .forbid,
      clock: C = ContinuousClock(),
      launch task: @escaping @Sendable () async throws -> Void
    ) {
      loop = PeriodicLoop(clock: clock, interval: interval, missed: missed, overlap: overlap)
      self.task = task
    }

    /// Launches the task until the application shuts down.
    ///
    /// - Throws: The error of a run; ``InvalidArgumentError``; or `CancellationError` when the
    ///   service is cancelled.
    public func run() async throws {
      guard loop.interval > .zero else {
        throw InvalidArgumentError("interval", loop.interval, mustBe: "positive")
      }
      let clock = loop.clock
      do {
        try await loop.run(from: clock.now) { deadline in
          // Only the wait ends on shutdown, so that a run ends in its own time.
          try await cancelWhenGracefulShutdown {
            try await clock.sleep(until: deadline, tolerance: nil)
          }
          guard !Task.isShuttingDownGracefully else { throw CancellationError() }
        } task: {
          try await task()
        }
      } catch is CancellationError where Task.isShuttingDownGracefully && !Task.isCancelled {
        return
      }
    }
  }
#endif
