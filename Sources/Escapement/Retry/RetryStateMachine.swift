import _EscapementCore

/// The decisions of a retry.
struct RetryStateMachine<Instant: InstantProtocol<Duration>> {
  private let maximumAttempts: Int
  private let deadline: Instant?
  private var delays: Backoff.Iterator
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
  mutating func failed(_ error: any Error, _ decision: RetryDecision, now: Instant) -> Next {
    errors.append(error)
    let delay = delays.next() ?? .zero
    switch decision {
    case .fail: return giveUp(.notRetryable)
    case .retry: return attempt(after: delay, now: now)
    case .retryAfter(let delay): return attempt(after: delay, now: now)
    }
  }

  private func attempt(after delay: Duration, now: Instant) -> Next {
    guard errors.count < maximumAttempts else { return giveUp(.attemptsExhausted) }
    let next = now.advanced(by: min(delay, .horizon))
    // An attempt that begins at the deadline would be cancelled at once.
    if let deadline, next >= deadline || now >= deadline { return giveUp(.deadline) }
    return .attempt(at: next)
  }

  private func giveUp(_ reason: RetryError.Reason) -> Next {
    .giveUp(RetryError(reason: reason, errors: errors))
  }
}
