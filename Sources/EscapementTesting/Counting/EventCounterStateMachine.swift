import _EscapementCore

/// The state machine of a counter: the number of events, and the tasks that wait.
struct EventCounterStateMachine {
  private(set) var count = 0
  /// The waiting tasks, ordered by the number for which they wait.
  private var waiters = CountWaiters()

  /// Counts an event.
  ///
  /// Returns the waiting tasks whose number has been reached.
  mutating func increment() -> [Sleeper] {
    count += 1
    return waiters.removeAll(reachedBy: count)
  }

  /// Begins to wait for a number of events.
  ///
  /// Returns `nil` if the number has been reached.
  mutating func arm(until number: Int) -> TimerToken? {
    waiters.arm(until: number, count: count)
  }

  /// Keeps the continuation of a waiting task.
  ///
  /// Returns `false` if its wait has ended.
  mutating func suspend(
    _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
  ) -> Bool {
    waiters.suspend(token, continuation)
  }

  mutating func cancel(_ token: TimerToken) -> Sleeper? { waiters.cancel(token) }
}
