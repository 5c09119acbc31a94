import _EscapementCore

/// When a ``CircuitBreaker`` opens, and how it closes again.
public struct CircuitBreakerPolicy: Hashable, Sendable {
  enum Trip: Hashable {
    case count(failures: Int, calls: Int)
    case rate(percent: Int, window: Duration, minimumCalls: Int)
  }

  let trip: Trip
  let openDuration: Duration
  let probes: Int
  let slowCall: Duration?

  /// Opens when so many of the last calls have failed.
  ///
  /// `.failures(5, ofLast: 5)` opens after five failures in a row.
  ///
  /// - Parameters:
  ///   - failures: The number of failed calls that opens the breaker; 1 or more.
  ///   - calls: The number of latest calls that count; from `failures` to 100,000.
  ///   - openDuration: The time for which the breaker stays open before it lets probes through;
  ///     positive.
  ///   - probes: How many calls are let through then, and have to succeed; 1 or more.
  ///   - slowCall: The time from which a call that succeeds counts as failed; `nil` if it never
  ///     does.
  public static func failures(
    _ failures: Int, ofLast calls: Int, openFor openDuration: Duration = .seconds(30),
    probes: Int = 1, slowerThan slowCall: Duration? = nil
  ) -> CircuitBreakerPolicy {
    CircuitBreakerPolicy(
      trip: .count(failures: failures, calls: calls), openDuration: openDuration, probes: probes,
      slowCall: slowCall)
  }

  /// Opens when a part of the calls in a sliding window of time has failed.
  ///
  /// The window moves in steps of a tenth of its length.
  ///
  /// - Parameters:
  ///   - percent: The part of failed calls that opens the breaker, in percent; 1...100.
  ///   - window: The length of the window; at least 10 nanoseconds, at most 95 years.
  ///   - minimumCalls: How many calls the window must contain before the rate counts; 1 or more.
  ///   - openDuration: The time for which the breaker stays open before it lets probes through;
  ///     positive.
  ///   - probes: How many calls are let through then, and have to succeed; 1 or more.
  ///   - slowCall: The time from which a call that succeeds counts as failed; `nil` if it never
  ///     does.
  public static func failureRate(
    percent: Int, over window: Duration, minimumCalls: Int = 10,
    openFor openDuration: Duration = .seconds(30), probes: Int = 1,
    slowerThan slowCall: Duration? = nil
  ) -> CircuitBreakerPolicy {
    CircuitBreakerPolicy(
      trip: .rate(percent: percent, window: window, minimumCalls: minimumCalls),
      openDuration: openDuration, probes: probes, slowCall: slowCall)
  }
}

extension CircuitBreakerPolicy {
  func makeWindow() throws(InvalidArgumentError) -> OutcomeWindow {
    try Self.check("openDuration", openDuration, openDuration > .zero, "positive")
    try Self.check("probes", probes, probes >= 1, "1 or more")
    if let slowCall { try Self.check("slowCall", slowCall, slowCall > .zero, "positive") }
    switch trip {
    case .count(let failures, let calls):
      try Self.check("calls", calls, 1...100_000 ~= calls, "between 1 and 100,000")
      try Self.check(
        "failures", failures, 1...calls ~= failures, "between 1 and 'calls' (\(calls))")
      return .count(CountWindow(failures: failures, calls: calls))
    case .rate(let percent, let window, let minimumCalls):
      try Self.check("percent", percent, 1...100 ~= percent, "between 1 and 100")
      try Self.check("minimumCalls", minimumCalls, minimumCalls >= 1, "1 or more")
      try Self.check(
        "window", window, .nanoseconds(10) ... .seconds(3_000_000_000) ~= window,
        "between 10 nanoseconds and 95 years")
      return .rate(
        RateWindow(
          percent: percent, minimumCalls: minimumCalls, window: window.wholeNanoseconds))
    }
  }

  /// Whether a call that has succeeded counts as failed, because it took too long.
  func isSlow(from start: Int64, to end: Int64) -> Bool {
    // As durations, because the difference may not fit into 64 bits.
    slowCall.map { Duration.nanoseconds(end) - .nanoseconds(start) >= $0 } ?? false
  }

  private static func check(
    _ name: String, _ value: some Sendable, _ isValid: Bool, _ requirement: String
  ) throws(InvalidArgumentError) {
    guard isValid else { throw InvalidArgumentError(name, value, mustBe: requirement) }
  }
}
