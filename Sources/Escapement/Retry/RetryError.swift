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
    /// The ``RetryBudget`` that the callers share is used up.
    case budgetExhausted
  }

  /// Why there was no further attempt.
  public let reason: Reason

  /// The number of attempts, all of which have failed.
  public let attemptCount: Int

  /// The errors of the attempts, in order; never empty.
  ///
  /// Of more than 10 attempts, it contains the error of the first one and those of the last 9. So
  /// the memory for the errors of an endless `retry` does not grow.
  public let errors: [any Error]

  /// The error of the last attempt.
  public var lastError: any Error { errors[errors.count - 1] }

  static var maximumErrorCount: Int { 10 }

  init(reason: Reason, attemptCount: Int, errors: [any Error]) {
    self.reason = reason
    self.attemptCount = attemptCount
    self.errors = errors
  }

  /// Creates an error, for a test.
  ///
  /// - Parameters:
  ///   - reason: Why there was no further attempt.
  ///   - earlierErrors: The errors of the attempts before the last one, in order.
  ///   - lastError: The error of the last attempt.
  public init(reason: Reason, earlierErrors: [any Error] = [], lastError: any Error) {
    let errors = earlierErrors + [lastError]
    self.init(reason: reason, attemptCount: errors.count, errors: errors)
  }

  /// The reason, and the errors with the numbers of their attempts.
  public var description: String {
    let reason =
      switch reason {
      case .attemptsExhausted: "no further attempt is allowed"
      case .notRetryable: "the last error is classified as not retryable"
      case .deadline: "the deadline leaves no time for a further attempt"
      case .budgetExhausted: "the budget for further attempts is used up"
      }
    let missing = attemptCount - errors.count
    var lines = errors.enumerated().map { index, error in
      "\(index == 0 ? 1 : missing + index + 1). \(error)"
    }
    if missing > 0 { lines.insert("(\(missing) errors are not kept)", at: 1) }
    let attempts = attemptCount == 1 ? "1 attempt" : "\(attemptCount) attempts"
    return "Gave up after \(attempts), because \(reason):\n\(lines.joined(separator: "\n"))"
  }
}

/// An attempt of a `retry` has returned a result that its argument `accepting` refuses.
public struct ResultNotAcceptedError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Creates an error, for a test.
  public init() {}

  /// A sentence that says what happened.
  public var description: String { "The result of the attempt was not accepted." }
}
