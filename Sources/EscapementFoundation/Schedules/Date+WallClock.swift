public import Escapement
public import Foundation
import _EscapementCore

extension Date {
  /// Creates the date of an instant, with the precision of a date, which is 53 bits.
  public init(_ instant: WallClock.Instant) {
    self.init(timeIntervalSince1970: instant.offset / .seconds(1))
  }
}

extension WallClock.Instant {
  /// Creates the instant of a date, rounded down to the nanosecond.
  ///
  /// A date that does not fit into 64 bits of seconds becomes the first or the last instant.
  public init(_ date: Date) {
    let interval = date.timeIntervalSince1970
    let seconds = interval.rounded(.down)
    guard let whole = Int64(exactly: seconds) else {
      self.init(offset: interval < 0 ? .zero - .longest : .longest)
      return
    }
    self.init(offset: .seconds(whole) + .nanoseconds(Int64((interval - seconds) * 1e9)))
  }
}
