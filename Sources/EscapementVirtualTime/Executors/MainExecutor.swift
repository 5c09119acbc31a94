#if os(Linux)
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  /// Stands in for the main actor's executor.
  final class MainExecutor: _Concurrency.MainExecutor, SchedulingExecutor {
    private let base: any _Concurrency.MainExecutor

    init(passingOnTo base: any _Concurrency.MainExecutor) { self.base = base }

    func enqueue(_ job: UnownedJob) {
      if Routing.take(job, onMain: true) { return }
      exempt {
        MainQueue.add { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
      }
    }

    func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

    // A sleep that the main actor's code begins. What ends it need not run there.

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      ReplacedExecutors.global.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      ReplacedExecutors.global.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    }

    // MARK: As before

    var isMainExecutor: Bool { true }
    func run() throws { try base.run() }
    func runUntil(_ condition: () -> Bool) throws { try base.runUntil(condition) }
    func stop() { base.stop() }
    func checkIsolated() { base.checkIsolated() }
    func isIsolatingCurrentContext() -> Bool? { base.isIsolatingCurrentContext() }
  }
#endif
