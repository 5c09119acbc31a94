extension Task where Success == Never, Failure == Never {
  /// Whether the current task performs the operation of a deadline that was set with `withDeadline`
  /// or `withUnstructuredDeadline`.
  ///
  /// The name is that of SE-0526.
  public static var hasActiveDeadline: Bool { !ActiveDeadlines.current.isEmpty }

  /// The earliest of the deadlines around the current task that were set with a clock.
  ///
  /// Use it to give up early, or to pass the deadline on to a server. Child tasks and tasks that
  /// are made with `Task.init` inherit it; detached tasks do not. It is active until the operation
  /// ends, also for a task that goes on after that.
  ///
  /// A clock is the same clock if its type has no stored properties (`ContinuousClock`,
  /// `SuspendingClock`), if it has the same `Identifiable/id`, or if it is the same object.
  /// Deadlines of other clocks are not found, because instants of different clocks cannot be
  /// compared. The name is that of SE-0526.
  ///
  /// - Parameter clock: The clock with which the deadline was set.
  /// - Returns: The deadline, which may have passed; `nil` if there is none of this clock.
  public static func activeDeadline<C: Clock>(for clock: C = ContinuousClock()) -> C.Instant? {
    ActiveDeadlines.current.earliest(for: clock)
  }

  /// Why the current task was cancelled; `nil` if it was not.
  ///
  /// The name is that of SE-0526.
  public static var cancellationReason: CancellationError.Reason? {
    guard Task<Never, Never>.isCancelled else { return nil }
    return ActiveDeadlines.current.hasExpired ? .deadlineExpired : .userRequested
  }
}

extension CancellationError {
  /// Why a task was cancelled.
  public enum Reason: Hashable, Sendable {
    /// The task, or the task that waits for it, was cancelled.
    case userRequested
    /// A deadline around the task has expired.
    case deadlineExpired
  }
}
