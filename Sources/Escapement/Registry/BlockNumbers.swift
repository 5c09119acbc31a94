import _EscapementCore

/// The numbers of one block in a configuration.
struct BlockNumbers {
  let block: String
  let value: (_ key: String) throws(InvalidArgumentError) -> Double?

  func int(_ name: String, _ number: Int) throws(InvalidArgumentError) -> Int {
    guard let value = try value("\(block).\(name)") else { return number }
    // The nearest double to the largest number is one more.
    guard let number = Int(exactly: value) ?? (value == 0x1p63 ? .max : nil) else {
      let isWhole = value.isFinite && value == value.rounded()
      throw invalid(name, value, isWhole ? "within the range of 'Int'" : "a whole number")
    }
    return number
  }

  func seconds(_ name: String, _ duration: Duration) throws(InvalidArgumentError) -> Duration {
    try seconds(name, Optional(duration))!
  }

  func seconds(_ name: String, _ duration: Duration?) throws(InvalidArgumentError) -> Duration? {
    guard let value = try value("\(block).\(name)") else { return duration }
    // Fewer than 95 years, which is the limit of most durations.
    guard abs(value) <= 3e9 else {
      throw invalid(name, value, "a number of seconds, between 0 and 95 years")
    }
    return .nanoseconds(Int64((value * 1e9).rounded()))
  }

  func double(_ name: String, _ number: Double) throws(InvalidArgumentError) -> Double {
    try value("\(block).\(name)") ?? number
  }

  private func invalid(
    _ name: String, _ value: Double, _ requirement: String
  ) -> InvalidArgumentError {
    InvalidArgumentError("\(block).\(name)", value, mustBe: requirement)
  }
}

/// The numbers of a concurrency limiter.
struct LimiterSettings: Hashable, Sendable {
  let limit: ConcurrencyLimit
  let maximumWaiting: Int
  let maximumDelay: Duration?
}

/// The numbers of an adaptive throttle.
struct ThrottleSettings: Hashable, Sendable {
  let multiplier: Double
  let window: Duration
}

extension CircuitBreakerPolicy {
  func with(_ numbers: BlockNumbers) throws(InvalidArgumentError) -> Self {
    let trip: Trip =
      switch trip {
      case .count(let failures, let calls):
        .count(
          failures: try numbers.int("failures", failures), calls: try numbers.int("calls", calls))
      case .rate(let percent, let window, let minimumCalls):
        .rate(
          percent: try numbers.int("percent", percent),
          window: try numbers.seconds("window", window),
          minimumCalls: try numbers.int("minimumCalls", minimumCalls))
      }
    return Self(
      trip: trip, openDuration: try numbers.seconds("openDuration", openDuration),
      probes: try numbers.int("probes", probes),
      slowCall: try numbers.seconds("slowCall", slowCall))
  }
}

extension ConcurrencyLimit {
  func with(_ numbers: BlockNumbers) throws(InvalidArgumentError) -> Self {
    switch kind {
    case .fixed(let limit):
      return .fixed(try numbers.int("limit", limit))
    case .vegas(let initial, let range):
      let least = try numbers.int("minimum", range.lowerBound)
      let most = try numbers.int("maximum", range.upperBound)
      for (name, bound) in [("minimum", least), ("maximum", most)]
      where !(1...1_000_000).contains(bound) {
        throw InvalidArgumentError(
          "\(numbers.block).\(name)", bound, mustBe: "between 1 and 1,000,000")
      }
      guard least <= most else {
        throw InvalidArgumentError(
          "\(numbers.block).minimum", least, mustBe: "at most \(numbers.block).maximum (\(most))")
      }
      // The code's number may be outside of a range of the configuration.
      return least...most == range
        ? self : .vegas(initial: min(max(least, initial), most), in: least...most)
    }
  }
}

extension Quota {
  func with(_ numbers: BlockNumbers) throws(InvalidArgumentError) -> Self {
    switch kind {
    case .tokenBucket(let capacity, let refill, let interval, let style):
      return .tokenBucket(
        capacity: try numbers.int("capacity", capacity), refill: try numbers.int("refill", refill),
        every: try numbers.seconds("interval", interval), style: style)
    case .slidingWindow(let limit, let window):
      return .slidingWindow(
        limit: try numbers.int("limit", limit), per: try numbers.seconds("window", window))
    case .all(let quotas):
      var others: [Quota] = []
      for (index, quota) in quotas.enumerated() {
        let block = "\(numbers.block).\(index + 1)"
        let other = try quota.with(BlockNumbers(block: block, value: numbers.value))
        // Later, nothing tells which of the quotas is not valid.
        _ = try naming(block) { () throws(InvalidArgumentError) in try other.makeAlgorithm() }
        others.append(other)
      }
      return Quota(kind: .all(others))
    }
  }
}

extension InjectedFault {
  func with(share: Double) throws(InvalidArgumentError) -> Self {
    switch kind {
    case .latency(let range): try .latency(range, share: share)
    case .error(let error): try .error(error, share: share)
    case .outcome: try .outcome(share: share)
    }
  }
}
