/// The decisions of a hedged call: when to begin a further attempt, and when to give up.
struct HedgingStateMachine {
  private let maximumAttempts: Int
  private(set) var begun = 1
  private var failed = 0

  init(maximumAttempts: Int) { self.maximumAttempts = maximumAttempts }

  enum Step: Equatable {
    /// Begin a further attempt. `thenWait` tells whether one more may follow it.
    case begin(attempt: Int, thenWait: Bool)
    /// Wait for the attempts that run.
    case wait
    /// All attempts have failed.
    case giveUp
  }

  /// Whether to wait for the delay after the first attempt.
  var waitsAfterFirst: Bool { maximumAttempts > 1 }

  /// An attempt has failed.
  ///
  /// - Parameter mayBegin: Whether a further attempt may begin, because the caller is not cancelled.
  mutating func attemptFailed(mayBegin: Bool = true) -> Step {
    failed += 1
    if begun < maximumAttempts, mayBegin { return begin() }
    return failed == begun ? .giveUp : .wait
  }

  /// The delay after an attempt has passed.
  ///
  /// - Parameters:
  ///   - attempt: The number of the attempt after which the delay began.
  ///   - mayBegin: Whether a further attempt may begin.
  mutating func delayPassed(after attempt: Int, mayBegin: Bool = true) -> Step {
    // A failed attempt has been followed by another one, which has a delay of its own.
    guard attempt == begun, begun < maximumAttempts, mayBegin else { return .wait }
    return begin()
  }

  private mutating func begin() -> Step {
    begun += 1
    return .begin(attempt: begun, thenWait: begun < maximumAttempts)
  }
}
