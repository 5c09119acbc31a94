/// How far the local time of a place is ahead of UTC.
///
/// `TimeZone` conforms in EscapementFoundation. ``UTC`` needs no Foundation.
public protocol UTCOffsets: Sendable {
  /// Returns by how many seconds local time is ahead of UTC at an instant.
  ///
  /// The same argument must always have the same result. Offsets of more than 26 hours are taken as
  /// 26 hours. Two changes of the offset must be at least a week apart, or else one may be missed.
  ///
  /// - Parameter second: A number of seconds since 1970-01-01T00:00:00Z, without leap seconds.
  func secondsFromUTC(at second: Int) -> Int
}

/// Local time that never differs from UTC.
public struct UTC: UTCOffsets, Hashable {
  /// Creates the rules of UTC.
  public init() {}

  /// Zero.
  public func secondsFromUTC(at second: Int) -> Int { 0 }
}

extension UTCOffsets where Self == UTC {
  /// Local time that never differs from UTC.
  public static var utc: UTC { UTC() }
}

/// A time in which the offset from UTC does not change.
struct OffsetSegment {
  let offset: Int
  /// The second at which the offset changed, if that was less than `OffsetSegment.longest` ago, and
  /// the offset before.
  let change: (at: Int, from: Int)?
}

extension OffsetSegment {
  /// The largest difference of two offsets: from 26 hours behind UTC to 26 hours ahead of it.
  static var longest: Int { 2 * 26 * 3600 }
  private static var week: Int { 7 * 86_400 }

  init(at second: Int, _ zone: some UTCOffsets) {
    offset = zone.offset(at: second)
    let earlier = second - Self.longest
    change = zone.offset(at: earlier) == offset ? nil : zone.lastChange(from: earlier, to: second)
  }

  /// The first second after an instant at which the offset changes, or `nil` if there is none up to
  /// a limit.
  static func nextChange(after second: Int, through limit: Int, _ zone: some UTCOffsets) -> Int? {
    var lower = second
    let offset = zone.offset(at: second)
    while lower < limit {
      let upper = min(limit, lower + week)
      if zone.offset(at: upper) != offset { return zone.firstChange(from: lower, to: upper) }
      lower = upper
    }
    return nil
  }
}

extension UTCOffsets {
  /// The offset, within its bounds.
  func offset(at second: Int) -> Int { min(max(secondsFromUTC(at: second), -93_600), 93_600) }

  /// The change between two instants with different offsets, by bisection.
  fileprivate func firstChange(from lower: Int, to upper: Int) -> Int {
    var (lower, upper) = (lower, upper)
    let offset = offset(at: lower)
    while upper - lower > 1 {
      let middle = lower + (upper - lower) / 2
      if self.offset(at: middle) == offset { lower = middle } else { upper = middle }
    }
    return upper
  }

  fileprivate func lastChange(from lower: Int, to upper: Int) -> (at: Int, from: Int) {
    let change = firstChange(from: lower, to: upper)
    return (change, offset(at: lower))
  }
}
