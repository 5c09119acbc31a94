import _EscapementCore

extension VirtualTime {
  /// Has somebody outside asked each time before time moves, until a call of `dismiss`.
  package func consult(_ outsider: Outsider) { scope.state.withLock { $0.outsiders.add(outsider) } }

  /// Ends what `consult` has begun.
  package func dismiss(_ outsider: Outsider) {
    scope.state.withLock { $0.outsiders.remove(outsider) }
  }
}
