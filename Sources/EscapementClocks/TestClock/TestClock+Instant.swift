import _EscapementCore

extension TestClock {
  /// A point in time of a ``TestClock``: a duration since its zero.
  ///
  /// Sums and differences of `Swift.Duration` stay at the end of the range, the number of seconds
  /// that fits an `Int64`, and never trap. So `sleep(for: .seconds(.max))` means: for ever.
  public struct Instant: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
    /// How long this is after the zero of the clock.
    public let offset: Duration

    /// Makes the instant that is so long after the zero of the clock.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }

    /// The instant that is later by a duration.
    @_specialize(where Duration == Swift.Duration)
    public func advanced(by duration: Duration) -> Self {
      Self(offset: Saturating.sum(offset, duration))
    }

    /// How long it is from this instant to another.
    @_specialize(where Duration == Swift.Duration)
    public func duration(to other: Self) -> Duration {
      Saturating.difference(other.offset, offset)
    }

    /// Whether one instant comes before another.
    @_specialize(where Duration == Swift.Duration)
    public static func < (lhs: Self, rhs: Self) -> Bool {
      Saturating.isLess(lhs.offset, than: rhs.offset)
    }

    /// The offset.
    public var description: String { "\(offset)" }
  }
}

extension TestClock.Instant: Codable where Duration: Codable {}
