package import Dispatch
import Escapement
import _EscapementCore

extension DispatchTimeInterval {
  /// The interval as a duration; `nil` for `.never`.
  package var duration: Duration? {
    switch self {
    case .seconds(let count): .seconds(count)
    case .milliseconds(let count): .milliseconds(count)
    case .microseconds(let count): .microseconds(count)
    case .nanoseconds(let count): .nanoseconds(count)
    case .never: nil
    @unknown default: nil
    }
  }

  /// The error for a timer that cannot repeat at this interval, or `nil` if it can.
  package var refusalToRepeat: InvalidArgumentError? {
    guard let duration, duration <= .zero else { return nil }
    return InvalidArgumentError("interval", duration, mustBe: "positive, or .never")
  }
}
