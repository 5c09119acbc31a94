import _EscapementCore

/// The decisions of a counter: how many events there were, and which tasks have waited long enough.
struct EventCounterState {
  private(set) var count = 0
  private var waiters = CountWaiters()

  /// Counts an event.
  ///
  /// Returns the tasks to resume.
  mutating func increment() -> [Sleeper] {
    count += 1
    return waiters.removeAll(reachedBy: count)
  }

  /// Returns `nil` if the number has been reached.
  mutating func arm(until number: Int) -> TimerToken? {
    waiters.arm(until: number, count: count)
  }

  /// Returns `false` if the wait has ended.
  mutating func suspend(
    _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
  ) -> Bool {
    waiters.suspend(token, continuation)
  }

  mutating func cancel(_ token: TimerToken) -> Sleeper? { waiters.cancel(token) }
}
