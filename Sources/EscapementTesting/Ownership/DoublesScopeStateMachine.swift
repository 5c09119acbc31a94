/// The decisions of a scope that owns doubles: what is kept until its end, and what is done there.
struct DoublesScopeStateMachine<Failure, Check> {
  private enum Phase {
    case open
    /// The body has ended; what still comes in is reported with the rest.
    case ending
    /// Nobody will look any more.
    case ended
  }

  /// What the end of a scope does next.
  enum Step {
    case report([Failure])
    case verify([Check])
  }

  private var phase = Phase.open
  private var failures: [Failure] = []
  private var checks: [Check] = []

  /// Keeps a failure for the end; `false` if it is too late for that.
  mutating func keep(_ failure: Failure) -> Bool {
    switch phase {
    case .open, .ending:
      failures.append(failure)
      return true
    case .ended:
      return false
    }
  }

  /// Keeps a check for the end; `false` if it is too late for that.
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
  /// - Parameter verifying: Whether what was promised is to be checked.
  mutating func end(verifying: Bool) {
    guard case .open = phase else { return }
    phase = .ending
    if !verifying { checks = [] }
  }

  /// Returns what is to be done next, or `nil` when the end has been reached.
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
