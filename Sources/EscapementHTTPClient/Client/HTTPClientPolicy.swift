#if AsyncHTTPClient
  public import Escapement

  /// When a ``ResilientHTTPClient`` tries a request again, and how it limits requests.
  ///
  /// ```swift
  /// var policy = HTTPClientPolicy()
  /// policy.circuitBreaker = .failureRate(percent: 50, over: .seconds(10))
  /// policy.hedgingDelay = .milliseconds(200)
  /// ```
  public struct HTTPClientPolicy: Sendable {
    /// The largest number of attempts, including the first; 1 or more.
    public var maximumAttempts = 3

    /// The delays between the end of an attempt and the beginning of the next one.
    public var backoff = Backoff.fullJitter(base: .milliseconds(100), cap: .seconds(20))

    /// The statuses after which a request that may be sent again is sent again.
    public var retriedStatuses: Set<UInt> = [429, 502, 503, 504]

    /// The longest delay that a `Retry-After` can ask for; zero or positive.
    public var longestRetryAfter = Duration.seconds(60)

    /// The time for all attempts and the delays between them; positive, or `nil` for any time.
    public var timeout: Duration? = .seconds(60)

    /// The time for one attempt, which begins when the attempt has its place in the concurrency
    /// limit; positive, or `nil` for any time.
    public var attemptTimeout: Duration?

    /// The time after which a request that may be sent again is sent a second time, in parallel;
    /// zero or positive, or `nil` to send it once.
    ///
    /// The first answer counts. A second request is taken from the retry budget.
    public var hedgingDelay: Duration?

    /// When the circuit breaker of a host opens; `nil` if hosts have none.
    ///
    /// Errors of the transport and the statuses 500...599 count as failures.
    public var circuitBreaker: CircuitBreakerPolicy?

    /// How many requests to one host run at the same time; `nil` for any number.
    ///
    /// An expired deadline and the statuses 429, 503 and 504 tell a limit that adapts to shrink.
    public var concurrencyLimit: ConcurrencyLimit?

    /// How many requests may wait for their turn to one host; zero or positive.
    public var maximumWaiting = Int.max

    /// Called after each attempt, before the delay, for logs, metrics and traces.
    public var onAttempt: (@Sendable (RetryAttempt) -> Void)?

    /// Called for each event of the breaker and the limiter of a host, and for each hedge, with the
    /// address of the host.
    ///
    /// A breaker and a limiter tell separately that a call has begun and ended. An answer that counts
    /// as a failure, or as a sign of overload, has an error in the event of its end.
    public var onEvent: (@Sendable (_ host: String, BlockEvent) -> Void)?

    /// Creates a policy with retries and a timeout.
    public init() {}
  }

  extension HTTPClientPolicy {
    var limitsHosts: Bool { circuitBreaker != nil || concurrencyLimit != nil }

    /// Refuses what would fail at the first request.
    func check() throws(InvalidArgumentError) {
      guard maximumAttempts >= 1 else {
        throw InvalidArgumentError("maximumAttempts", maximumAttempts, mustBe: "1 or more")
      }
      for (name, delay) in [
        ("longestRetryAfter", longestRetryAfter), ("hedgingDelay", hedgingDelay ?? .zero),
      ] where delay < .zero {
        throw InvalidArgumentError(name, delay, mustBe: "zero or positive")
      }
      for (name, time) in [("timeout", timeout), ("attemptTimeout", attemptTimeout)] {
        if let time, time <= .zero { throw InvalidArgumentError(name, time, mustBe: "positive") }
      }
      if let invalid = backoff.invalidArgument { throw invalid }
      _ = try Host(self, name: "")
    }
  }
#endif
