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
    case attempt(at: Instant)
    case giveUp(RetryError)
  }

  /// An attempt has failed.
  mutating func failed(
    _ error: any Error, now: Instant, classify: (any Error) -> RetryDecision
  ) throws(InvalidArgumentError) -> Next {
    attemptCount += 1
    errors.append(error)
    if errors.count > RetryError.maximumErrorCount { errors.remove(at: 1) }
    let delay = delays.next() ?? .zero
    // The error of an attempt that the deadline has cancelled says nothing about the next one.
    if let deadline, now >= deadline { return giveUp(.deadline) }
    switch classify(error) {
    case .fail: return giveUp(.notRetryable)
    case .retry: return attempt(after: delay, now: now)
    case .retryAfter(let delay):
      guard delay >= .zero else {
        throw InvalidArgumentError("retryAfter", delay, mustBe: "zero or positive")
      }
      return attempt(after: delay, now: now)
    }
  }

  private func attempt(after delay: Duration, now: Instant) -> Next {
    guard attemptCount < maximumAttempts else { return giveUp(.attemptsExhausted) }
    let next = now.advanced(by: min(delay, .horizon))
    // An attempt that begins at the deadline would be cancelled at once.
    if let deadline, next >= deadline { return giveUp(.deadline) }
    return .attempt(at: next)
  }

  private func giveUp(_ reason: RetryError.Reason) -> Next {
    .giveUp(RetryError(reason: reason, attemptCount: attemptCount, errors: errors))
  }
}
