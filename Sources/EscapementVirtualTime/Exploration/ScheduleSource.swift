/// Where the choices of a run come from.
package enum ScheduleSource: Sendable, Hashable {
  /// They are drawn.
  case seed(UInt64, ExplorationStrategy)
  /// They are given.
  case schedule(ExecutionSchedule)
}
