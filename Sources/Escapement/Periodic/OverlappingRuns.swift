/// What a periodic task does when a tick comes while the run before is still under way.
public enum OverlappingRuns: Hashable, Sendable {
  /// The tick has to wait for the run, so that it is missed; `missed:` says what becomes of it.
  case forbid
  /// The tick starts a run beside the one that is under way.
  case allow
}
