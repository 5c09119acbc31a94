/// The decisions of a hedged call: when to begin a further attempt, and when to give up.
///
/// One sleep at a time waits for the delay after an attempt. When an attempt has failed, and
/// another one has followed at once, the sleep goes on, and is followed by one for what is left of
/// the newer delay. With a sleep for each attempt, those of attempts that have failed would pile
/// up.
struct HedgingStateMachine {
  private let maximumAttempts: Int
  private(set) var begun = 1
  private var failed = 0
  /// The attempt after which the present sleep began.
  private var sleepingAfter = 1

  init(maximumAttempts: Int) { self.maximumAttempts = maximumAttempts }

  enum Step: Equatable {
    /// Begin a further attempt. `thenSleep` tells whether one more may follow it after the delay.
    case begin(attempt: Int, thenSleep: Bool)
    /// Sleep until the delay after the newest attempt has passed.
    case sleep
    /// Wait for the attempts that run.
    case wait
    /// All attempts have failed.
    case giveUp
  }

  /// Whether to sleep after the first attempt.
  var sleepsAfterFirst: Bool { maximumAttempts > 1 }

  /// An attempt has failed.
  ///
  /// - Parameter mayBegin: Whether a further attempt may begin, because the caller is not
  ///   cancelled.
  mutating func attemptFailed(mayBegin: Bool = true) -> Step {
    failed += 1
    if begun < maximumAttempts, mayBegin {
      begun += 1
      // A sleep is under way.
      return .begin(attempt: begun, thenSleep: false)
    }
    return failed == begun ? .giveUp : .wait
  }

  /// The sleep has ended.
  ///
  /// - Parameter mayBegin: Whether a further attempt may begin.
  mutating func delayPassed(mayBegin: Bool = true) -> Step {
    guard begun < maximumAttempts, mayBegin else { return .wait }
    defer { sleepingAfter = begun }
    guard sleepingAfter == begun else { return .sleep }
    begun += 1
    return .begin(attempt: begun, thenSleep: begun < maximumAttempts)
  }
}
