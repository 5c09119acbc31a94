import _EscapementCore

/// The rule for a tick that is due while the previous run has not ended.
public enum OverlappingRuns: Hashable, Sendable {
  /// The tick is missed, because it has to wait for the end of the run. The argument `missed:`
  /// decides which ticks follow.
  case forbid
  /// The tick starts another run at the same time.
  ///
  /// The number of runs is not limited. If the task always takes longer than the interval, more and
  /// more runs are open.
  case allow
  /// The tick starts another run, unless as many runs are open as the number says.
  ///
  /// Then the tick waits for the end of a run, and the argument `missed:` decides which ticks follow.
  /// The number is 1 or more.
  case atMost(Int)

  var invalidArgument: InvalidArgumentError? {
    guard case .atMost(let count) = self, count < 1 else { return nil }
    return InvalidArgumentError("atMost", count, mustBe: "1 or more")
  }
}
