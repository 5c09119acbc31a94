import _EscapementCore

extension VirtualTime {
  /// Makes time stand until a call of `closeHold`, on whatever thread that is.
  ///
  /// For doubles that hand work to threads which belong to no scope. What continues in the scope must
  /// have been resumed before the hold is closed.
  package func openHold() { scope.state.withLock { $0.openHold() } }

  /// Ends a hold that `openHold` has begun.
  package func closeHold() { scope.closeHold() }

  /// Has code outside asked each time before time moves, until a call of `dismiss`.
  package func consult(_ outsider: Outsider) { scope.state.withLock { $0.outsiders.add(outsider) } }

  /// Ends what `consult` has begun.
  package func dismiss(_ outsider: Outsider) {
    scope.state.withLock { $0.outsiders.remove(outsider) }
  }
}
