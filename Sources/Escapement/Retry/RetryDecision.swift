/// What follows from the error of an attempt.
public enum RetryDecision: Hashable, Sendable {
  /// Try again after the next delay of the backoff.
  case retry
  /// Try again after this time, which somebody has asked for; the backoff moves on all the same.
  case retryAfter(Duration)
  /// Do not try again.
  case fail
}
