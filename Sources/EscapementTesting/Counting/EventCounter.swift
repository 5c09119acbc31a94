import Escapement
import EscapementVirtualTime
package import _EscapementCore

/// How often something has happened, and who waits for that.
package final class EventCounter: Sendable {
  private let state = Lock(EventCounterStateMachine())

  package init() {}

  /// How often it has happened.
  package var count: Int { state.withLock { $0.count } }

  /// It has happened once more; who has waited for that is resumed.
  package func increment() {
    for waiter in state.withLock({ $0.increment() }) { waiter.continuation?.resume() }
  }

  /// Suspends until it has happened so often.
  ///
  /// In a virtual-time scope for as long as it takes: the scope knows when nothing more can happen.
  /// Elsewhere nobody does, so there the real time of waiting is limited.
  ///
  /// - Parameters:
  ///   - count: How often; a negative number is reported as an issue.
  ///   - events: What is counted, for messages.
  ///   - limit: The longest time to wait outside virtual-time scopes.
  ///   - location: The line that waits.
  /// - Throws: `CancellationError`, or ``MissingEventsError`` at the limit.
  package func wait(
    for count: Int, _ events: String, limit: Duration = .seconds(60),
    at location: SourceLocation
  ) async throws {
    guard count >= 0 else {
      return DoubleOwner.current.report(
        """
        A test was to wait for \(count) \(events), but there are never fewer than none.

        It goes on at once. Wait for as many as the code under test is to make.
        """, at: location)
    }
    if VirtualTime.current != nil { return try await sleep(until: count) }
    do {
      try await withDeadline(in: limit) { try await sleep(until: count) }
    } catch is DeadlineExpiredError {
      throw MissingEventsError(
        events: events, expected: count, actual: self.count, limit: limit,
        place: "\(location.fileID):\(location.line)")
    }
  }
}

extension EventCounter: SleepHost {
  package func arm(until count: Int) -> TimerToken? { state.withLock { $0.arm(until: count) } }

  package func suspend(
    _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
  ) -> Bool {
    state.withLock { $0.suspend(token, continuation) }
  }

  package func cancel(_ token: TimerToken) -> Sleeper? { state.withLock { $0.cancel(token) } }
}
