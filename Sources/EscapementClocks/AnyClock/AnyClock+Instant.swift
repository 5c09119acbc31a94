public import _EscapementCore

extension AnyClock {
  /// A point in time of an ``AnyClock``, as a duration since the clock was wrapped.
  ///
  /// Sums and differences of `Swift.Duration` saturate: they stay at the end of the range and never
  /// trap.
  public struct Instant: OffsetInstant {
    /// The time between the wrapping of the clock and this instant.
    public let offset: Duration

    /// Creates the instant at an offset from the wrapping of the clock.
    public init(offset: Duration = .zero) {
      self.offset = offset
    }
  }
}

extension AnyClock.Instant: Codable where Duration: Codable {}
