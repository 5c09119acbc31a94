public import _EscapementCore

extension UnimplementedClock {
  /// A point in time of an ``UnimplementedClock``, as a duration since the creation of the clock.
  ///
  /// Sums and differences of `Swift.Duration` saturate: they stay at the end of the range and never
  /// trap.
  public struct Instant: OffsetInstant {
    /// The time between the creation of the clock and this instant.
    public let offset: Duration

    /// Creates the instant at an offset from the creation of the clock.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }
  }
}

extension UnimplementedClock.Instant: Codable where Duration: Codable {}
