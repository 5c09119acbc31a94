import Escapement
package import EscapementClocks
import EscapementVirtualTime
package import _EscapementCore

/// How often something has happened, and who waits for that.
package final class CallCounter: Sendable {
  private let state = Lock(CallCounterState())

  package init() {}

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
  ///   - name: What is called, for messages.
  ///   - limit: The longest time to wait outside virtual-time scopes.
  ///   - location: The line that waits.
  /// - Throws: `CancellationError`, or ``MissingCallsError`` at the limit.
  package func wait(
    for count: Int, of name: String, limit: Duration = .seconds(10),
    at location: SourceLocation
  ) async throws {
    guard count >= 0 else {
      return DoubleOwner.current.report(
        """
        A test was to wait for \(count) calls of '\(name)', but there are never fewer than none.

        It goes on at once. Wait for the number of calls that the code under test makes.
        """, at: location)
    }
    if VirtualTime.current != nil { return try await sleep(until: count) }
    do {
      try await withDeadline(in: limit) { try await sleep(until: count) }
    } catch is DeadlineExpiredError {
      throw MissingCallsError(
        name: name, expected: count, actual: state.withLock { $0.count }, limit: limit,
        place: "\(location.fileID):\(location.line)")
    }
  }
}

extension CallCounter: SleepHost {
  package func arm(until count: Int) -> TimerToken? { state.withLock { $0.arm(until: count) } }

  package func suspend(
    _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
  ) -> Bool {
    state.withLock { $0.suspend(token, continuation) }
  }

  package func cancel(_ token: TimerToken) -> Sleeper? { state.withLock { $0.cancel(token) } }
}
