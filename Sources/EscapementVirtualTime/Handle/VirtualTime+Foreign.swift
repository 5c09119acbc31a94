import _EscapementCore

extension VirtualTime {
  /// Makes time stand until a call of `closeHold`, on whatever thread that is.
  ///
  /// For doubles that hand work to threads which belong to no scope. Whoever continues in the scope must
  /// have been resumed before the hold is closed.
  package func openHold() { scope.state.withLock { $0.openHold() } }

  /// Ends a hold that `openHold` has begun.
  package func closeHold() {
    if scope.state.withLock({ $0.closeHold() }) { scope.schedule() }
  }
}
