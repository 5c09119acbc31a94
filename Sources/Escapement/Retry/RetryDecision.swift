/// The decision of `retry` after an attempt has failed.
public enum RetryDecision: Hashable, Sendable {
  /// Try again after the next delay of the backoff.
  case retry
  /// Try again after this time, such as the `Retry-After` of a server. The backoff still moves on
  /// to its next delay. If the time is negative, `retry` throws an `InvalidArgumentError`.
  case retryAfter(Duration)
  /// Do not try again.
  case fail
}
