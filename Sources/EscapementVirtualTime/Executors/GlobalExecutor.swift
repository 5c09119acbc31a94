#if os(Linux)
  import CVirtualTime
  import Dispatch
  import EscapementClocks
  @_spi(ExperimentalCustomExecutors) @_spi(ExperimentalScheduling) import _Concurrency

  /// Stands in for the default executor.
  final class GlobalExecutor: TaskExecutor, SchedulingExecutor {
    private let base: any TaskExecutor
    private let scheduling: any SchedulingExecutor

    init(passingOnTo base: any TaskExecutor) {
      self.base = base
      scheduling = base as! any SchedulingExecutor
    }

    func enqueue(_ job: UnownedJob) {
      if !Routing.take(job, onMain: false) { passOn(job) }
    }

    func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

    func passOn(_ job: UnownedJob) {
      exempt { passOnForReal(job) }
    }

    private func passOnForReal(_ job: UnownedJob) {
      guard cvt_sees_jobs(), !cvt_is_task(job.pointer) else {
        return base.enqueue(ExecutorJob(job))
      }
      // An actor, which may run tasks of scopes. The runtime does not tell when a thread of its own
      // has run it.
      runInPool(job, on: nil)
    }

    /// Runs a job on a thread of the pool, by code outside of the runtime.
    func runInPool(_ job: UnownedJob, on executor: GlobalExecutor?) {
      let qos: DispatchQoS.QoSClass =
        switch TaskPriority(job.priority) ?? .medium {
        case ...(.background): .background
        case ...(.utility): .utility
        case (.userInitiated)...: .userInitiated
        default: .default
        }
      DispatchQueue.global(qos: qos).async {
        if let executor {
          job.runSynchronously(on: executor.asUnownedTaskExecutor())
        } else {
          job.runSynchronously(on: .generic)
        }
      }
    }

    // Specialised, since the runtime looks up a conformance at run time for each type that depends
    // on C.
    @_specialize(where C == ContinuousClock)
    @_specialize(where C == SuspendingClock)
    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
    ) {
      if let scope = Scope.current {
        if scope.options.standardClocks == .real,
          let delay = clock.now.duration(to: instant) as? Duration
        {
          return scope.sleepReally(UnownedJob(job), for: delay)
        }
        if let deadline = sinceScopeBegan(instant, clock, scope) {
          return scope.sleep(
            until: deadline, tolerance: tolerance as? Duration, on: sleepClock(C.self),
            endedBy: UnownedJob(job))
        }
      }
      scheduling.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
    }

    func enqueue<C: Clock>(
      _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
    ) {
      guard let scope = Scope.current, let delay = delay as? Duration else {
        return scheduling.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
      }
      if scope.options.standardClocks == .real {
        scope.sleepReally(UnownedJob(job), for: delay)
      } else {
        scope.sleep(
          until: scope.now.addingSaturating(Nanoseconds(roundingUp: delay)),
          tolerance: tolerance as? Duration, on: sleepClock(C.self), endedBy: UnownedJob(job))
      }
    }

    private func sleepClock<C: Clock>(_: C.Type) -> SleepClock {
      C.self == SuspendingClock.self ? .suspending : .continuous
    }
  }

  /// The nanoseconds between the beginning of a scope and an instant of a standard clock.
  private func sinceScopeBegan<C: Clock>(
    _ instant: C.Instant, _ clock: C, _ scope: Scope
  ) -> Nanoseconds? {
    let sinceEpoch: Duration
    var beginning: Nanoseconds = 0
    if C.self == ContinuousClock.self {
      let instant = unsafeBitCast(instant, to: ContinuousClock.Instant.self)
      sinceEpoch = ContinuousClock().systemEpoch.duration(to: instant)
      cvt_clocks_base(scope.clocks, clockid_t(cvt_continuous_clock), &beginning)
    } else if C.self == SuspendingClock.self {
      let instant = unsafeBitCast(instant, to: SuspendingClock.Instant.self)
      sinceEpoch = SuspendingClock().systemEpoch.duration(to: instant)
      cvt_clocks_base(scope.clocks, clockid_t(cvt_suspending_clock), &beginning)
    } else {
      return nil
    }
    let time = Nanoseconds(roundingUp: sinceEpoch - .nanoseconds(beginning))
    return C.self == SuspendingClock.self ? scope.time(time, on: cvt_current_life()) : time
  }
#endif
