import _EscapementCore

/// The rule for runs of a ``Schedule`` that could not begin in time.
///
/// A run is missed when the previous one has not ended, when the machine sleeps, when the system
/// sets its clock forwards, or when the program was not running and `lastRun` says since when.
public enum MissedRuns: Hashable, Sendable {
  /// A run that could not begin within this time is dropped.
  case skip(laterThan: Duration)
  /// One run, the newest, takes the place of all that were missed.
  case runOnce
  /// The missed runs take place one after the other. Of more than `atMost`, only the newest do.
  case catchUp(atMost: Int)

  var invalidArgument: InvalidArgumentError? {
    switch self {
    case .skip(let tolerance) where tolerance < .zero:
      InvalidArgumentError("laterThan", tolerance, mustBe: "zero or positive")
    case .catchUp(let count) where count < 1:
      InvalidArgumentError("atMost", count, mustBe: "1 or more")
    default:
      nil
    }
  }
}
