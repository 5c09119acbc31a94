import _EscapementCore

/// How many permits a ``QuotaLimiter`` grants, and at which rate.
public struct Quota: Hashable, Sendable {
  /// How a token bucket fills.
  public enum Refill: Hashable, Sendable {
    /// The permits come back one by one, evenly over the interval.
    ///
    /// This is the generic cell rate algorithm (GCRA) of ATM networks (ITU-T I.371), whose burst
    /// size is the capacity of the bucket. With a capacity of 1, permits are at least `interval /
    /// refill` apart.
    case smooth
    /// All permits of an interval come back at its end. The first interval begins when the limiter
    /// is created.
    case interval
  }

  enum Kind: Hashable {
    case tokenBucket(capacity: Int, refill: Int, interval: Duration, Refill)
    case slidingWindow(limit: Int, window: Duration)
    case all([Quota])
  }

  let kind: Kind

  /// A token bucket, which is full in the beginning and fills again at a constant rate.
  ///
  /// It allows bursts up to the capacity and, in the long run, the rate of the refill. In any time
  /// `t` it grants at most `capacity + refill * t / interval` permits.
  ///
  /// - Parameters:
  ///   - capacity: How many permits the bucket holds at most.
  ///   - refill: How many permits come back in an interval.
  ///   - interval: The length of an interval.
  ///   - style: Whether the permits come back evenly over the interval, or all at its end.
  public static func tokenBucket(
    capacity: Int, refill: Int, every interval: Duration, style: Refill = .smooth
  ) -> Quota {
    Quota(kind: .tokenBucket(capacity: capacity, refill: refill, interval: interval, style))
  }

  /// At most `limit` permits in any window of time, wherever the window begins.
  ///
  /// The limit is exact, because the limiter stores the time of each permit in the window. So its
  /// memory grows with the number of permits. Permits that are granted at the same time share one
  /// entry.
  ///
  /// - Parameters:
  ///   - limit: How many permits a window may contain. Two permits that are exactly one window
  ///     apart are not in the same window.
  ///   - window: The length of a window.
  public static func slidingWindow(limit: Int, per window: Duration) -> Quota {
    Quota(kind: .slidingWindow(limit: limit, window: window))
  }

  /// Several quotas at once: a permit is granted when each of them grants it.
  ///
  /// For example, 10 requests per second, but not more than 1,000 per hour:
  ///
  /// ```swift
  /// Quota.all(
  ///   .tokenBucket(capacity: 10, refill: 10, every: .seconds(1)),
  ///   .slidingWindow(limit: 1_000, per: .seconds(3600)))
  /// ```
  ///
  /// A permit that one of them refuses is not taken from the others.
  public static func all(_ first: Quota, _ others: Quota...) -> Quota {
    Quota(kind: .all([first] + others))
  }
}

extension Quota {
  /// The most permits that the quota can grant at once.
  var capacity: Int {
    switch kind {
    case .tokenBucket(let capacity, _, _, _): capacity
    case .slidingWindow(let limit, _): limit
    case .all(let quotas): quotas.map(\.capacity).min()!
    }
  }

  /// How many permits each part of the quota grants at most, and in how many seconds all of them come
  /// back.
  package var parts: [(permits: Int, seconds: Double)] {
    switch kind {
    case .tokenBucket(let capacity, let refill, let interval, _):
      [(capacity, interval / .seconds(1) * Double(capacity) / Double(refill))]
    case .slidingWindow(let limit, let window): [(limit, window / .seconds(1))]
    case .all(let quotas): quotas.flatMap(\.parts)
    }
  }

  /// Refuses a request that can never be granted.
  func check(_ permits: Int) throws(QuotaError) {
    try Self.check(permits, capacity: capacity)
  }

  static func check(_ permits: Int, capacity: Int) throws(QuotaError) {
    guard permits >= 1 else { throw .invalidRequest(permits: permits) }
    guard permits <= capacity else {
      throw .beyondCapacity(permits: permits, capacity: capacity)
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
    case .all(let quotas):
      var algorithms: [QuotaAlgorithm] = []
      for quota in quotas { algorithms.append(try quota.makeAlgorithm()) }
      return .all(algorithms)
    }
  }

  static var longestInterval: Duration { .seconds(3_000_000_000) }

  // Within these bounds all products fit into 128 bits.
  private static func check(_ name: String, _ count: Int) throws(InvalidArgumentError) -> Int {
    guard (1...1_000_000_000_000).contains(count) else {
      throw InvalidArgumentError(name, count, mustBe: "between 1 and 10^12")
    }
    return count
  }

  private static func check(
    _ name: String, _ duration: Duration
  ) throws(InvalidArgumentError) -> Int64 {
    guard duration > .zero, duration <= longestInterval,
      duration == .nanoseconds(duration.wholeNanoseconds)
    else {
      throw InvalidArgumentError(
        name, duration, mustBe: "a whole number of nanoseconds, at least one, at most 95 years")
    }
    return duration.wholeNanoseconds
  }
}
