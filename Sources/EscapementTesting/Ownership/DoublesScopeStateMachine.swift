/// The state machine of a scope that owns doubles: what it keeps until its end, and what it does
/// there.
struct DoublesScopeStateMachine<Failure, Check> {
  private enum Phase {
    case open
    /// The body has ended. Failures that still arrive are reported with the rest.
    case ending
    /// Everything has been reported; nothing is accepted any more.
    case ended
  }

  /// The next step at the end of a scope.
  enum Step {
    case report([Failure])
    case verify([Check])
  }

  private var phase = Phase.open
  private var failures: [Failure] = []
  private var checks: [Check] = []

  /// Keeps a failure for the end; `false` if the scope has ended.
  mutating func keep(_ failure: Failure) -> Bool {
    switch phase {
    case .open, .ending:
      failures.append(failure)
      return true
    case .ended:
      return false
    }
  }

  /// Keeps a check for the end; `false` if the body has ended.
  mutating func add(_ check: Check) -> Bool {
    switch phase {
    case .open:
      checks.append(check)
      return true
    case .ending, .ended:
      return false
    }
  }

  /// The body has ended.
  ///
  /// - Parameter verifying: Whether the checks run.
  mutating func end(verifying: Bool) {
    guard case .open = phase else { return }
    phase = .ending
    if !verifying { checks = [] }
  }

  /// Returns the next step; `nil` after the last one.
  mutating func next() -> Step? {
    guard case .ending = phase else { return nil }
    if !failures.isEmpty {
      defer { failures = [] }
      return .report(failures)
    }
    if !checks.isEmpty {
      defer { checks = [] }
      return .verify(checks)
    }
    phase = .ended
    return nil
  }
}
