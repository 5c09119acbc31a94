/// What a launcher does when a tick is due while the previous run has not ended.
public enum OverlappingRuns: Hashable, Sendable {
  /// The tick is missed, because it has to wait for the end of the run. The argument `missed:` decides
  /// which ticks follow.
  case forbid
  /// The tick starts another run at the same time.
  case allow
}
