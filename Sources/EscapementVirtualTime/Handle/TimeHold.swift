import _EscapementCore

/// A hold on the time of a scope: time stands until the hold ends.
///
/// For doubles that hand work to threads which belong to no scope. A hold ends once, on any thread:
/// when ``end()`` is called, or when the token is released. A task of the scope that continues
/// because of the work must have been resumed before.
package final class TimeHold: Sendable {
  private let scope: Scope
  private let isOpen = Lock(true)

  init(_ scope: Scope) {
    self.scope = scope
    scope.openHold()
  }

  deinit { end() }

  /// Ends the hold, if it has not ended before.
  package func end() {
    let wasOpen = isOpen.withLock { isOpen in
      defer { isOpen = false }
      return isOpen
    }
    if wasOpen { scope.closeHold() }
  }
}

extension VirtualTime {
  /// Makes time stand until the token that is returned ends or is released.
  package func startHold() -> TimeHold { TimeHold(scope) }
}
