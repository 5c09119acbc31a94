import CVirtualTime
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
    if !Routing.take(job, onMain: false) { base.enqueue(ExecutorJob(job)) }
  }

  func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, at instant: C.Instant, tolerance: C.Duration?, clock: C
  ) {
    if let scope = Scope.current, let deadline = scope.deadline(at: instant, of: clock) {
      scope.arm(UnownedJob(job), until: deadline)
    } else {
      scheduling.enqueue(job, at: instant, tolerance: tolerance, clock: clock)
    }
  }

  func enqueue<C: Clock>(
    _ job: consuming ExecutorJob, after delay: C.Duration, tolerance: C.Duration?, clock: C
  ) {
    if let scope = Scope.current, let deadline = scope.deadline(after: delay, on: clock) {
      scope.arm(UnownedJob(job), until: deadline)
    } else {
      scheduling.enqueue(job, after: delay, tolerance: tolerance, clock: clock)
    }
  }
}

extension Scope {
  /// When an instant of a standard clock is, or `nil` if the clock is not virtual here.
  fileprivate func deadline<C: Clock>(at instant: C.Instant, of clock: C) -> Nanoseconds? {
    guard options.standardClocks == .virtual else { return nil }
    let sinceBoot: Duration
    let base: Int64
    if C.self == ContinuousClock.self {
      let instant = unsafeBitCast(instant, to: ContinuousClock.Instant.self)
      sinceBoot = ContinuousClock().systemEpoch.duration(to: instant)
      base = clocks.pointee.boottime
    } else if C.self == SuspendingClock.self {
      let instant = unsafeBitCast(instant, to: SuspendingClock.Instant.self)
      sinceBoot = SuspendingClock().systemEpoch.duration(to: instant)
      base = clocks.pointee.monotonic
    } else {
      return nil
    }
    let deadline = Nanoseconds(roundingUp: sinceBoot)
    return deadline == .never ? .never : deadline.addingSaturating(-base)
  }

  /// When it will be after a delay, or `nil` if the clock is not virtual here.
  fileprivate func deadline<C: Clock>(after delay: C.Duration, on clock: C) -> Nanoseconds? {
    guard options.standardClocks == .virtual, let delay = delay as? Duration else { return nil }
    return now.addingSaturating(max(0, Nanoseconds(roundingUp: delay)))
  }
}
