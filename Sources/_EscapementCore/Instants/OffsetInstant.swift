/// An instant that is the duration since its clock began.
///
/// Sums and differences of `Swift.Duration` saturate: they stay at the end of the range and never
/// trap.
public protocol OffsetInstant: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
  /// The time between the beginning of the clock and this instant.
  var offset: Duration { get }

  /// Creates the instant at an offset from the beginning of the clock.
  init(offset: Duration)
}

extension OffsetInstant {
  /// Returns the instant that is later than this one by `duration`.
  @inlinable public func advanced(by duration: Duration) -> Self {
    Self(offset: Saturating.sum(offset, duration))
  }

  /// Returns the time from this instant to the other one.
  @inlinable public func duration(to other: Self) -> Duration {
    Saturating.difference(other.offset, offset)
  }

  /// Returns whether the first instant is earlier than the second.
  @inlinable public static func < (lhs: Self, rhs: Self) -> Bool {
    Saturating.isLess(lhs.offset, than: rhs.offset)
  }

  /// The offset.
  public var description: String { "\(offset)" }
}
