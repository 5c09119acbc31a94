import _EscapementCore

/// How many permits a ``QuotaLimiter`` gives, and how fast.
public struct Quota: Hashable, Sendable {
  /// How a token bucket fills.
  public enum Refill: Hashable, Sendable {
    /// Permit by permit, evenly over the interval.
    case smooth
    /// All permits of an interval at its end; intervals are counted from the creation of the
    /// limiter.
    case interval
  }

  enum Kind: Hashable {
    case tokenBucket(capacity: Int, refill: Int, interval: Duration, Refill)
    case slidingWindow(limit: Int, window: Duration)
    case gcra(limit: Int, period: Duration, burst: Int)
  }

  let kind: Kind

  /// A bucket that is full in the beginning, and fills again as permits are taken.
  ///
  /// Allows bursts up to the capacity, and in the long run the rate of refill: in any time `t` at
  /// most `capacity + refill * t / interval` permits.
  ///
  /// - Parameters:
  ///   - capacity: How many permits the bucket holds at most.
  ///   - refill: How many permits come back in an interval.
  ///   - interval: The interval.
  ///   - style: Whether they come back evenly, or all at once at its end.
  public static func tokenBucket(
    capacity: Int, refill: Int, every interval: Duration, style: Refill = .smooth
  ) -> Quota {
    Quota(kind: .tokenBucket(capacity: capacity, refill: refill, interval: interval, style))
  }

  /// At most so many permits in any window of time, wherever it begins.
  ///
  /// Exact: the time of each permit in the window is remembered, so that the limiter grows with the
  /// number of permits. Permits given at the same time share one entry.
  ///
  /// - Parameters:
  ///   - limit: How many permits a window may contain. Two that are exactly one window apart are
  ///     not in the same window.
  ///   - window: The length of the window.
  public static func slidingWindow(limit: Int, per window: Duration) -> Quota {
    Quota(kind: .slidingWindow(limit: limit, window: window))
  }

  /// Permits at an even rate: the generic cell rate algorithm of ATM networks (ITU-T I.371).
  ///
  /// With a burst of one, permits are at least `period / limit` apart. It is the smooth token bucket
  /// seen from the other side: a bucket whose capacity is the burst.
  ///
  /// - Parameters:
  ///   - limit: How many permits there are in a period.
  ///   - period: The period.
  ///   - burst: How many permits may be given at once when none have been for a while.
  public static func gcra(limit: Int, per period: Duration, burst: Int = 1) -> Quota {
    Quota(kind: .gcra(limit: limit, period: period, burst: burst))
  }
}

extension Quota {
  /// The most permits that can ever be given at once.
  var capacity: Int {
    switch kind {
    case .tokenBucket(let capacity, _, _, _): capacity
    case .slidingWindow(let limit, _): limit
    case .gcra(_, _, let burst): burst
    }
  }

  func makeAlgorithm() throws(InvalidArgumentError) -> QuotaAlgorithm {
    switch kind {
    case .tokenBucket(let capacity, let refill, let interval, let style):
      let capacity = try Self.check("capacity", capacity)
      let refill = try Self.check("refill", refill)
      let interval = try Self.check("interval", interval)
      switch style {
      case .smooth: return .smooth(SmoothRefill(capacity: capacity, refill: refill, interval))
      case .interval: return .interval(IntervalRefill(capacity: capacity, refill: refill, interval))
      }
    case .slidingWindow(let limit, let window):
      let limit = try Self.check("limit", limit)
      return .window(SlidingWindow(limit: limit, window: try Self.check("window", window)))
    case .gcra(let limit, let period, let burst):
      let limit = try Self.check("limit", limit)
      let period = try Self.check("period", period)
      return .smooth(
        SmoothRefill(capacity: try Self.check("burst", burst), refill: limit, period))
    }
  }

  // Within these bounds no product leaves 128 bits.
  private static func check(_ name: String, _ count: Int) throws(InvalidArgumentError) -> Int {
    guard (1...1_000_000_000_000).contains(count) else {
      throw InvalidArgumentError(name, count, mustBe: "between 1 and 10^12")
    }
    return count
  }

  private static func check(
    _ name: String, _ duration: Duration
  ) throws(InvalidArgumentError) -> Int64 {
    guard duration > .zero, duration <= .seconds(3_000_000_000),
      duration == .nanoseconds(duration.wholeNanoseconds)
    else {
      throw InvalidArgumentError(
        name, duration, mustBe: "a whole number of nanoseconds, at least one, at most 95 years")
    }
    return duration.wholeNanoseconds
  }
}
