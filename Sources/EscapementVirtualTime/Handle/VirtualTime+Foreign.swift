import _EscapementCore

extension VirtualTime {
  /// Stops time until `closeHold` is called, on any thread.
  ///
  /// For doubles that hand work to threads that belong to no scope. Resume the waiting task of the
  /// scope before you close the hold.
  package func openHold() { scope.state.withLock { $0.openHold() } }

  /// Ends a hold that `openHold` began.
  package func closeHold() {
    if scope.state.withLock({ $0.closeHold() }) { scope.schedule() }
  }

  /// Asks the outsider each time before time moves, until `dismiss` is called.
  package func consult(_ outsider: Outsider) { scope.state.withLock { $0.outsiders.add(outsider) } }

  /// Stops asking the outsider.
  package func dismiss(_ outsider: Outsider) {
    scope.state.withLock { $0.outsiders.remove(outsider) }
  }
}
