import _EscapementCore

extension VirtualTime {
  /// Asks the external source each time before time moves, until `dismiss` is called.
  package func consult(_ source: ExternalSource) {
    scope.state.withLock { state in
      state.time.externalSources.add(source)
      state.exploring?.hasWorkOutside = true
    }
  }

  /// Stops asking the external source.
  package func dismiss(_ source: ExternalSource) {
    scope.state.withLock { $0.time.externalSources.remove(source) }
  }
}
