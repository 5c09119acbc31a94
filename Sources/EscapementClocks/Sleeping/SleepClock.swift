/// The clock on which a task sleeps.
public enum SleepClock: Sendable, Hashable, CaseIterable {
  /// `ContinuousClock`, which `Task.sleep(for:)` uses as well.
  case continuous

  /// `SuspendingClock`.
  case suspending

  /// An injected clock: the `TestClock` or the handle of virtual time that lists the sleep.
  case injected
}
