import _EscapementCore

/// A clock of any type, as a concrete type.
///
/// Give it to what takes `some Clock`, where all you have is `any Clock<Duration>`. It keeps the
/// time of the clock inside, counted from the moment of wrapping.
public final class AnyClock<Duration: DurationProtocol & Hashable>: Clock, Identifiable, Sendable {
  private let offset: @Sendable () -> Duration
  private let resolution: @Sendable () -> Duration
  private let sleep: @Sendable (_ offset: Duration, _ tolerance: Duration?) async throws -> Void

  /// Wraps a clock.
  public init<C: Clock>(_ clock: C) where C.Instant.Duration == Duration {
    let start = clock.now
    offset = { start.duration(to: clock.now) }
    resolution = { clock.minimumResolution }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: $1) }
  }

  /// What the clock inside says, counted from the moment of wrapping.
  public var now: Instant { Instant(offset: offset()) }

  /// The resolution of the clock inside.
  public var minimumResolution: Duration { resolution() }

  /// Sleeps on the clock inside.
  ///
  /// - Throws: What the clock inside throws: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleep(deadline.offset, tolerance)
  }
}

extension AnyClock {
  /// A point in time of an ``AnyClock``: a duration since the moment of wrapping.
  ///
  /// Sums and differences of `Swift.Duration` stay at the end of the range and never trap.
  public struct Instant: InstantProtocol, Hashable, Sendable, CustomStringConvertible {
    /// How long this is after the moment of wrapping.
    public let offset: Duration

    /// Makes the instant that is so long after the moment of wrapping.
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

extension AnyClock.Instant: Codable where Duration: Codable {}
