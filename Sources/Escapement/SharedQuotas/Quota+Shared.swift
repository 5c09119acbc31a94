import _EscapementCore

/// A quota in the numbers that stores compute with: microseconds, and integers of at most 53 bits.
struct SharedQuota: Sendable {
  let quota: Quota
  /// Four numbers for each bandwidth: its kind, and three that the kind needs.
  private(set) var parts: [Int64] = []
  /// The microseconds in which the empty quota fills.
  private(set) var span: Int64 = 0

  init(_ quota: Quota) throws(InvalidArgumentError) {
    _ = try quota.makeAlgorithm()
    self.quota = quota
    try add(quota)
  }

  private mutating func add(_ quota: Quota) throws(InvalidArgumentError) {
    switch quota.kind {
    case .tokenBucket(let capacity, let refill, let interval, let style):
      let (capacity, refill) = (Int64(capacity), Int64(refill))
      let interval = try Self.microseconds("interval", interval)
      switch style {
      case .smooth:
        let divisor = greatestCommonDivisor(refill, interval)
        let bucket = try Self.product(of: capacity, capacity, interval / divisor)
        add(0, bucket, interval / divisor, refill / divisor)
        span = max(span, (bucket - 1) / (refill / divisor) + 1)
      case .interval:
        add(1, capacity, refill, interval)
        let intervals = (capacity - 1) / refill + 2
        span = max(span, try Self.product(of: capacity, intervals, interval))
      }
    case .slidingWindow(let limit, let window):
      let window = try Self.microseconds("window", window)
      add(2, Int64(limit), window, 0)
      span = max(span, window)
    case .all(let quotas):
      for quota in quotas { try add(quota) }
    }
  }

  private mutating func add(_ kind: Int64, _ a: Int64, _ b: Int64, _ c: Int64) {
    parts += [kind, a, b, c]
  }

  private static func microseconds(
    _ name: String, _ duration: Duration
  ) throws(InvalidArgumentError) -> Int64 {
    let (microseconds, rest) = duration.wholeNanoseconds.quotientAndRemainder(dividingBy: 1_000)
    guard rest == 0 else {
      throw InvalidArgumentError(
        name, duration, mustBe: "a whole number of microseconds, because stores count those")
    }
    return microseconds
  }

  /// With the sum of two such products, 53 bits are enough.
  private static func product(
    of capacity: Int64, _ factor: Int64, _ other: Int64
  ) throws(InvalidArgumentError) -> Int64 {
    let (product, overflow) = factor.multipliedReportingOverflow(by: other)
    guard !overflow, product <= 1 << 52 else {
      throw InvalidArgumentError(
        "capacity", capacity,
        mustBe: "smaller or the interval shorter, because stores compute with 53 bits")
    }
    return product
  }
}

extension Quota {
  /// The part of the quota that each of several processes gets.
  ///
  /// All parts together are never more than the quota.
  func share(of processes: Int) throws(InvalidArgumentError) -> Quota {
    guard 1...capacity ~= processes else {
      throw InvalidArgumentError(
        "processes", processes, mustBe: "between 1 and the capacity of the quota, \(capacity)")
    }
    switch kind {
    case .tokenBucket(let capacity, let refill, let interval, .smooth):
      return .tokenBucket(
        capacity: capacity / processes, refill: refill,
        every: try Self.interval(interval, times: processes, processes: processes))
    case .tokenBucket(let capacity, let refill, let interval, .interval):
      let intervals = (processes - 1) / refill + 1
      return .tokenBucket(
        capacity: capacity / processes, refill: max(1, refill / processes),
        every: try Self.interval(interval, times: intervals, processes: processes),
        style: .interval)
    case .slidingWindow(let limit, let window):
      return .slidingWindow(limit: limit / processes, per: window)
    case .all(let quotas):
      var shares: [Quota] = []
      for quota in quotas { shares.append(try quota.share(of: processes)) }
      return Quota(kind: .all(shares))
    }
  }

  private static func interval(
    _ interval: Duration, times count: Int, processes: Int
  ) throws(InvalidArgumentError) -> Duration {
    let product = Saturating.product(interval, count)
    guard product <= longestInterval else {
      throw InvalidArgumentError(
        "processes", processes,
        mustBe: "smaller, because an interval of the share would be longer than 95 years")
    }
    return product
  }
}
