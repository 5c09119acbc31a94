/// The rule for a tick that is due while the previous run has not ended.
public enum OverlappingRuns: Hashable, Sendable {
  /// The tick is missed, because it has to wait for the end of the run. The argument `missed:`
  /// decides which ticks follow.
  case forbid
  /// The tick starts another run at the same time.
  ///
  /// The number of runs is not limited. If the task always takes longer than the interval, more and
  /// more runs are open. To limit them, let the task return at once when too many are open, or set
  /// a deadline for it with `withDeadline`.
  case allow
}
