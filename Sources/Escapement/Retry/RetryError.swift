/// No attempt of a `retry` succeeded.
public struct RetryError: Error, CustomStringConvertible {
  /// Why there was no further attempt.
  public enum Reason: Hashable, Sendable {
    /// All allowed attempts have been made.
    case attemptsExhausted
    /// The last error was classified as ``RetryDecision/fail``.
    case notRetryable
    /// The deadline has passed, or would pass before the next attempt.
    case deadline
  }

  /// Why there was no further attempt.
  public let reason: Reason

  /// The errors of all attempts, in order.
  ///
  /// Never empty.
  public let errors: [any Error]

  /// The error of the last attempt.
  public var lastError: any Error { errors[errors.count - 1] }

  /// The reason, and the error of each attempt.
  public var description: String {
    let reason =
      switch reason {
      case .attemptsExhausted: "no further attempt is allowed"
      case .notRetryable: "the last error is classified as not retryable"
      case .deadline: "the deadline leaves no time for a further attempt"
      }
    let list = errors.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n")
    return "Gave up after \(errors.count) attempts, because \(reason):\n\(list)"
  }
}
