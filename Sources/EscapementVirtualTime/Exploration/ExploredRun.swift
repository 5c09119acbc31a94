import _EscapementCore

/// One run of an exploration: what decides its order, and what came of it.
package final class ExploredRun: Sendable {
  /// What is known when the run has ended.
  struct Outcome {
    var trace = ExplorationTrace()
    /// Whether there was work outside the scope.
    var hasWorkOutside = false
    /// Whether the scope was taken for stuck without a wait in real time.
    var wasStuckAtOnce = false
  }

  let source: ScheduleSource
  let recordsSteps: Bool
  /// Whether a scope without work is stuck at once, because nothing outside resumes it.
  let stallsAtOnce: Bool
  let journal: ScheduleJournal?
  private let ended = Lock(Outcome())

  init(
    _ source: ScheduleSource, recordsSteps: Bool = false, stallsAtOnce: Bool,
    journal: ScheduleJournal? = nil
  ) {
    self.source = source
    self.journal = journal
    journal?.begin()
    self.recordsSteps = recordsSteps
    self.stallsAtOnce = stallsAtOnce
  }

  var outcome: Outcome { ended.withLock { $0 } }

  func end(_ exploring: ScopeState.Exploring?) {
    guard let exploring else { return }
    ended.withLock {
      $0.trace = exploring.explorer.trace
      $0.hasWorkOutside = exploring.hasWorkOutside
      $0.wasStuckAtOnce = exploring.wasStuckAtOnce
    }
  }
}
