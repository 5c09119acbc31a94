public import Escapement
public import Foundation
import _EscapementCore

extension Duration {
  /// The duration of a wait that Foundation gives in seconds, to the nanosecond.
  ///
  /// - Throws: `InvalidArgumentError` when the interval is not a number, infinite, negative, or
  ///   beyond the range of 64 bits of seconds.
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
  /// The seconds of a duration, as Foundation wants them; exact to 53 bits.
  public init(_ duration: Duration) {
    self = duration / .seconds(1)
  }
}
