@testable import Escapement

/// A zone whose offset changes at known instants.
struct SteppedZone: UTCOffsets {
  var first: Int
  var changes: [(at: Int, offset: Int)]

  func secondsFromUTC(at second: Int) -> Int {
    changes.last { $0.at <= second }?.offset ?? first
  }

  /// A zone like that of Berlin, with the changes of 2026.
  static let berlin = SteppedZone(
    first: 3600,
    changes: [
      (instant(2026, 3, 29, 1).wholeSeconds, 7200), (instant(2026, 10, 25, 1).wholeSeconds, 3600),
    ])
}

/// An instant of UTC.
func instant(
  _ year: Int, _ month: Int, _ day: Int, _ hour: Int = 0, _ minute: Int = 0, _ second: Int = 0
) -> WallClock.Instant {
  let days = CivilDate(year: year, month: month, day: day).daysSince1970
  return WallClock.Instant(seconds: days * 86_400 + hour * 3600 + minute * 60 + second)
}
