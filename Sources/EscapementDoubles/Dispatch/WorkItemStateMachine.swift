/// The state machine of a work item: whether it has run, and which listeners wait for that.
enum WorkItemStateMachine<Listener> {
  /// The item has not run, and these listeners wait for it.
  case pending([Listener])
  /// The item has run, or was skipped because it was cancelled.
  case finished

  /// Adds a listener, or returns it if the item has run and the listener can be called at once.
  mutating func notify(_ listener: Listener) -> Listener? {
    switch self {
    case .pending(let listeners):
      self = .pending(listeners + [listener])
      return nil
    case .finished:
      return listener
    }
  }

  /// Returns the listeners to call, in the order in which they were added.
  mutating func finish() -> [Listener] {
    guard case .pending(let listeners) = self else { return [] }
    self = .finished
    return listeners
  }
}
