/// The phase of a scope's life.
///
/// Each step leads to one that stands further down, never back.
enum Life {
  /// The body runs.
  case running
  /// The body has been cancelled because a limit was reached, and may still come to its end.
  case limitReached
  /// The body has ended. Time stands, and what can run comes to its end.
  case ending(Body)
  /// The leftovers have been cancelled `rounds` times, and ready jobs come to their ends.
  case cancelling(Body, rounds: Int, leftovers: [Leftover])
  /// Nothing of the scope is run by it any more.
  case ended(Body)

  /// How the body ended.
  enum Body {
    /// It came to its end.
    case completed
    /// It came to its end, cancelled because a limit was reached.
    case completedAfterLimit
    /// The scope does not wait for it any more.
    case givenUp
  }

  /// Whether the body may run.
  var hasBody: Bool {
    switch self {
    case .running, .limitReached: true
    case .ending, .cancelling, .ended: false
    }
  }

  /// Whether the body has been cancelled because a limit was reached.
  var isCutShort: Bool {
    switch self {
    case .running: false
    case .limitReached: true
    case .ending(let body), .cancelling(let body, _, _), .ended(let body): body != .completed
    }
  }

  var hasEnded: Bool { if case .ended = self { true } else { false } }

  var isCancelling: Bool { if case .cancelling = self { true } else { false } }

  /// A limit is reached.
  ///
  /// Returns whether it is the first one, for which the body is to be cancelled;
  /// at the second it is given up.
  mutating func reachLimit() -> Bool {
    switch self {
    case .running:
      self = .limitReached
      return true
    case .limitReached:
      self = .ending(.givenUp)
    case .ending, .cancelling, .ended:
      break
    }
    return false
  }

  /// The body has ended.
  ///
  /// Returns `false` if it was given up before.
  mutating func endBody() -> Bool {
    switch self {
    case .running: self = .ending(.completed)
    case .limitReached: self = .ending(.completedAfterLimit)
    case .ending, .cancelling, .ended: return false
    }
    return true
  }

  /// How often what is left over is cancelled: handlers may start new tasks.
  private static let cancellationRounds = 16

  /// These are left over now.
  ///
  /// Returns whether they are to be cancelled, and then once more looked at.
  mutating func leave(_ leftovers: [Leftover]) -> Bool {
    switch self {
    case .ending(let body) where !leftovers.isEmpty:
      self = .cancelling(body, rounds: 1, leftovers: leftovers)
    case .cancelling(let body, let rounds, let first)
    where !leftovers.isEmpty && rounds < Self.cancellationRounds:
      self = .cancelling(body, rounds: rounds + 1, leftovers: first)
    case .running, .limitReached, .ending, .cancelling, .ended:
      return false
    }
    return true
  }

  /// The scope ends without a thread of it, which may run the body.
  ///
  /// Returns how the body ended, once.
  mutating func lose() -> Body? {
    if hasBody { self = .ending(.givenUp) }
    return end()
  }

  /// The scope ends.
  ///
  /// Returns how its body ended, once.
  mutating func end() -> Body? {
    switch self {
    case .running, .limitReached, .ended:
      return nil
    case .ending(let body), .cancelling(let body, _, _):
      self = .ended(body)
      return body
    }
  }
}
