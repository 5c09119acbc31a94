public import EscapementVirtualTime
public import Foundation

extension Date: WallClockInstant {
  /// The time since 1970-01-01T00:00:00Z, rounded to the microsecond.
  ///
  /// A `Date` of this century is not more precise. The rounding makes sums exact, such as
  /// `start + 0.1`. A date that is infinite or not a number is as far away as a duration can be.
  public var durationSince1970: Duration {
    let microseconds = (timeIntervalSince1970 * 1e6).rounded()
    if let whole = Int64(exactly: microseconds) { return .microseconds(whole) }
    return .seconds(microseconds > 0 ? Int64.max : Int64.min)
  }
}
