public import _EscapementCore

extension TestClock {
  /// A point in time of a ``TestClock``, as a duration since zero.
  ///
  /// Sums and differences of `Swift.Duration` saturate: they stay at the end of the range and never
  /// trap. So `sleep(for: .seconds(.max))` sleeps for ever.
  public struct Instant: OffsetInstant {
    /// The time between the zero of the clock and this instant.
    public let offset: Duration

    /// Creates the instant at an offset from the zero of the clock.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }
  }
}

extension TestClock.Instant: Codable where Duration: Codable {}
