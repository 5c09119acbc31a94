/// An attempt of a `retry` that has ended, for logs, metrics and traces.
public struct RetryAttempt: Sendable {
  /// The number of the attempt, from 1.
  public let number: Int
  /// The error of the attempt, a ``ResultNotAcceptedError`` if its result was not accepted; `nil` if
  /// the attempt has succeeded.
  public let error: (any Error)?
  /// The time from now to the next attempt; `nil` if there is none.
  public let delay: Duration?
  /// The time since the first attempt began.
  public let elapsed: Duration

  /// Creates an attempt, for a test of what is called after one.
  public init(number: Int, error: (any Error)?, delay: Duration?, elapsed: Duration) {
    self.number = number
    self.error = error
    self.delay = delay
    self.elapsed = elapsed
  }
}
