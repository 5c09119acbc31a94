public import Escapement
public import Foundation
import _EscapementCore

extension Duration {
  /// Creates a duration from an interval in seconds, rounded to the nanosecond.
  ///
  /// - Throws: `InvalidArgumentError` if the interval is not a number, infinite, negative, or 2^63
  ///   seconds or longer.
  public init(timeInterval: TimeInterval) throws(InvalidArgumentError) {
    guard timeInterval.isFinite, timeInterval >= 0 else {
      throw InvalidArgumentError("timeInterval", timeInterval, mustBe: "finite and not negative")
    }
    let seconds = timeInterval.rounded(.down)
    guard let whole = Int64(exactly: seconds) else {
      throw InvalidArgumentError("timeInterval", timeInterval, mustBe: "less than 2^63 seconds")
    }
    let nanoseconds = ((timeInterval - seconds) * 1e9).rounded()
    self = .seconds(whole) + .nanoseconds(Int64(nanoseconds))
  }
}

extension TimeInterval {
  /// Creates an interval in seconds from a duration.
  ///
  /// The result has a precision of 53 bits.
  public init(_ duration: Duration) {
    self = duration / .seconds(1)
  }
}
