/// A point in time of the wall clock: a `Date`, or a `Duration` since 1970-01-01T00:00:00Z.
///
/// `EscapementTesting` lets `Date` conform. This module is free of Foundation.
public protocol WallClockInstant: Sendable {
  /// The time since 1970-01-01T00:00:00Z, negative before.
  var durationSince1970: Duration { get }
}

extension Duration: WallClockInstant {
  /// The duration itself.
  public var durationSince1970: Duration { self }
}
