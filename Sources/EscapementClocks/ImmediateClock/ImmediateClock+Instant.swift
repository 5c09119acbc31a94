import _EscapementCore

extension ImmediateClock {
  /// A point in time of an ``ImmediateClock``: a duration since its zero.
  ///
  /// Sums and differences of `Swift.Duration` stay at the end of the range and never trap.
  public struct Instant: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
    /// How long this is after the zero of the clock.
    public let offset: Duration

    /// Makes the instant that is so long after the zero of the clock.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The instant that is later by a duration.
    public func advanced(by duration: Duration) -> Self {
      Self(offset: Saturating.sum(offset, duration))
    }

    /// How long it is from this instant to another.
    public func duration(to other: Self) -> Duration {
      Saturating.difference(other.offset, offset)
    }

    /// Whether one instant comes before another.
    public static func < (lhs: Self, rhs: Self) -> Bool {
      lhs.offset < rhs.offset
    }

    /// The offset.
    public var description: String { "\(offset)" }
  }
}

extension ImmediateClock.Instant: Codable where Duration: Codable {}
