/// The decisions of who is told that a work item has run.
enum WorkItemStateMachine<Listener> {
  /// It has not run, and these want to be told.
  case pending([Listener])
  /// It has run, or has been skipped because it was cancelled.
  case finished

  /// Returns the listener if it is to be told at once.
  mutating func notify(_ listener: Listener) -> Listener? {
    switch self {
    case .pending(let listeners):
      self = .pending(listeners + [listener])
      return nil
    case .finished:
      return listener
    }
  }

  /// Returns those who are to be told, in the order of their calls.
  mutating func finish() -> [Listener] {
    guard case .pending(let listeners) = self else { return [] }
    self = .finished
    return listeners
  }
}
