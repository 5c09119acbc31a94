/// A point in time of the wall clock, such as a `Date`.
///
/// `EscapementTesting` lets `Date` conform. This module is free of Foundation.
public protocol WallClockInstant: Sendable {
  /// The time since 1970-01-01T00:00:00Z, negative before.
  var durationSince1970: Duration { get }
}
