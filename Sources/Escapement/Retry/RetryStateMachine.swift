import _EscapementCore

/// The decisions of a retry.
struct RetryStateMachine<Instant: InstantProtocol<Duration>> {
  private let maximumAttempts: Int
  private let deadline: Instant?
  private var delays: Backoff.Iterator
  private var attemptCount = 0
  private var errors: [any Error] = []

  init(maximumAttempts: Int, backoff: Backoff, deadline: Instant?) throws(InvalidArgumentError) {
    guard maximumAttempts >= 1 else {
      throw InvalidArgumentError("maximumAttempts", maximumAttempts, mustBe: "1 or more")
    }
    if let invalid = backoff.invalidArgument { throw invalid }
    self.maximumAttempts = maximumAttempts
    self.deadline = deadline
    delays = backoff.makeIterator()
  }

  enum Next {
    case attempt(at: Instant, after: Duration)
    case giveUp(RetryError)
  }

  /// How many attempts have failed.
  var failedCount: Int { attemptCount }

  /// An attempt has failed.
  ///
  /// - Parameters:
  ///   - error: The error of the attempt.
  ///   - now: The present instant.
  ///   - classify: Decides what to do after the error.
  ///   - isAffordable: Takes a further attempt from the budget. It is called only if there is one
  ///     otherwise.
  mutating func failed(
    _ error: any Error, now: Instant, classify: (any Error) -> RetryDecision,
    isAffordable: () -> Bool = { true }
  ) throws(InvalidArgumentError) -> Next {
    attemptCount += 1
    errors.append(error)
    if errors.count > RetryError.maximumErrorCount { errors.remove(at: 1) }
    let delay = attemptCount < maximumAttempts ? delays.next() : .zero
    // The error of an attempt that the deadline has cancelled says nothing about the next one.
    if let deadline, now >= deadline { return giveUp(.deadline) }
    switch classify(error) {
    case .fail: return giveUp(.notRetryable)
    case .retry:
      return try attempt(after: delay, "delay of the backoff", now: now, isAffordable)
    case .retryAfter(let time):
      return try attempt(after: delay == nil ? nil : time, "retryAfter", now: now, isAffordable)
    }
  }

  private func attempt(
    after delay: Duration?, _ name: String, now: Instant, _ isAffordable: () -> Bool
  ) throws(InvalidArgumentError) -> Next {
    if let delay, delay < .zero {
      throw InvalidArgumentError(name, delay, mustBe: "zero or positive")
    }
    guard attemptCount < maximumAttempts, let delay else { return giveUp(.attemptsExhausted) }
    let next = now.advanced(by: min(delay, .horizon))
    // An attempt that begins at the deadline would be cancelled at once.
    if let deadline, next >= deadline { return giveUp(.deadline) }
    guard isAffordable() else { return giveUp(.budgetExhausted) }
    return .attempt(at: next, after: delay)
  }

  private func giveUp(_ reason: RetryError.Reason) -> Next {
    .giveUp(RetryError(reason: reason, attemptCount: attemptCount, errors: errors))
  }
}
