/// The present state of a block of a ``BlockRegistry``, for an endpoint that shows it.
///
/// As JSON, it is such as `{"circuitBreaker": {"state": "open"}}`.
public enum BlockState: Codable, Hashable, Sendable {
  /// A breaker.
  case circuitBreaker(state: CircuitState)
  /// A concurrency limiter: how many operations may run, do run, and wait.
  case concurrencyLimiter(limit: Int, running: Int, waiting: Int)
  /// A throttle: the probability with which it refuses the next call.
  case adaptiveThrottle(refusalProbability: Double)
  /// A quota: how many permits a request could take now.
  case quotaLimiter(remaining: Int)
  /// A quota for each key: how many keys it stores.
  case keyedQuotaLimiter(keys: Int)
  /// An injector: its faults in words.
  case faultInjector(faults: [String])
}
