/// A point in time of the wall clock, such as a `Date`.
///
/// This module does not import Foundation. `EscapementTesting` lets `Date` conform.
public protocol WallClockInstant: Sendable {
  /// The time since 1970-01-01T00:00:00Z, negative before.
  var durationSince1970: Duration { get }
}
