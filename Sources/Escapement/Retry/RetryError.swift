/// No attempt succeeded.
public struct RetryError: Error, CustomStringConvertible {
  /// Why there was no further attempt.
  public enum Reason: Hashable, Sendable {
    /// As many attempts have been made as were allowed.
    case attemptsExhausted
    /// The error of the last attempt was classified as one that retrying does not help.
    case notRetryable
    /// The deadline has passed, or would have passed before the next attempt.
    case deadline
  }

  /// Why there was no further attempt.
  public let reason: Reason

  /// The errors of all attempts, in their order; never empty.
  public let errors: [any Error]

  /// The error of the last attempt.
  public var lastError: any Error { errors[errors.count - 1] }

  /// The reason, and what went wrong in each attempt.
  public var description: String {
    let reason =
      switch reason {
      case .attemptsExhausted: "no further attempt was allowed"
      case .notRetryable: "the last error cannot be helped by retrying"
      case .deadline: "the deadline leaves no time for a further attempt"
      }
    let list = errors.enumerated().map { "\($0 + 1). \($1)" }.joined(separator: "\n")
    return "Gave up after \(errors.count) attempts, because \(reason):\n\(list)"
  }
}
