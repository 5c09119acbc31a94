import _EscapementCore

extension VirtualTime {
  /// Asks the outsider each time before time moves, until `dismiss` is called.
  package func consult(_ outsider: Outsider) {
    scope.state.withLock { state in
      state.time.outsiders.add(outsider)
      state.exploring?.hasWorkOutside = true
    }
  }

  /// Stops asking the outsider.
  package func dismiss(_ outsider: Outsider) {
    scope.state.withLock { $0.time.outsiders.remove(outsider) }
  }
}
