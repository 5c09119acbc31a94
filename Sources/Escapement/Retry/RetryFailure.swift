/// A failed attempt of a `retry`, for logs and metrics.
public struct RetryFailure: Sendable {
  /// The number of the attempt, from 1.
  public let attempt: Int
  /// The error of the attempt; a ``ResultNotAcceptedError`` if its result was not accepted.
  public let error: any Error
  /// The time from now to the next attempt; `nil` if there is none.
  public let delay: Duration?
  /// The time since the first attempt began.
  public let elapsed: Duration

  /// Creates a failure, for a test of what is called after one.
  public init(attempt: Int, error: any Error, delay: Duration?, elapsed: Duration) {
    self.attempt = attempt
    self.error = error
    self.delay = delay
    self.elapsed = elapsed
  }
}
