import Escapement
import EscapementVirtualTime
package import _EscapementCore

/// Counts events, and lets tasks wait for a number of them.
package final class EventCounter: Sendable {
  private let state = Lock(EventCounterStateMachine())

  package init() {}

  /// The number of events so far.
  package var count: Int { state.withLock { $0.count } }

  /// Counts an event, and resumes the tasks that have waited for it.
  package func increment() {
    for waiter in state.withLock({ $0.increment() }) { waiter.continuation?.resume() }
  }

  /// Suspends until so many events have been counted.
  ///
  /// In a virtual-time scope the wait has no limit, because the scope knows when nothing more can
  /// happen. Elsewhere the wait is limited.
  ///
  /// - Parameters:
  ///   - count: The number of events. A negative number fails the test, and the call returns.
  ///   - events: What is counted, for messages.
  ///   - limit: The longest wait outside virtual-time scopes, in real time. It is longer on a busy
  ///     machine.
  ///   - location: The source location to which issues are attributed.
  /// - Throws: `CancellationError` if the task is cancelled; ``MissingEventsError`` at the limit.
  package func wait(
    for count: Int, _ events: String, limit: Duration = .seconds(60),
    at location: SourceLocation
  ) async throws {
    guard count >= 0 else {
      return DoubleOwner.current.report(
        """
        'count' must not be negative (got \(count)). The test does not wait for \(events).

        The number may be the result of a wrong subtraction. Pass the number of events that the code \
        under test should cause.
        """, at: location)
    }
    if let time = VirtualTime.current {
      return try await time.naming {
        "\(self.count) of \(count) \(events), at \(location.fileID):\(location.line)"
      } _: {
        try await sleep(until: count)
      }
    }
    // Each step passes through the thread pool. So where that is busy with other tests, the wait is
    // longer.
    let steps = 60
    for _ in 0..<steps {
      do {
        return try await Escapement.withDeadline(in: limit / steps) {
          try await sleep(until: count)
        }
      } catch is DeadlineExpiredError {}
    }
    let actual = self.count
    // The last event may have come just after the last step.
    guard actual < count else { return }
    throw MissingEventsError(
      events: events, expected: count, actual: actual, limit: limit,
      place: "\(location.fileID):\(location.line)")
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
