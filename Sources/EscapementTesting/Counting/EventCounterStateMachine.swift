import _EscapementCore

/// The state machine of a counter: the number of events, and the tasks that wait.
struct EventCounterStateMachine {
  private(set) var count = 0
  /// The waiting tasks, ordered by the number for which they wait.
  private var waiters = TimerQueue<Int, Sleeper>()

  /// Counts an event.
  ///
  /// Returns the waiting tasks whose number has been reached.
  mutating func increment() -> [Sleeper] {
    count += 1
    var reached: [Sleeper] = []
    while let first = waiters.firstDeadline, first <= count, let next = waiters.popFirst() {
      reached.append(next.element)
    }
    return reached
  }

  /// Begins to wait for a number of events.
  ///
  /// Returns `nil` if the number has been reached.
  mutating func arm(until count: Int) -> TimerToken? {
    self.count >= count ? nil : waiters.insert(Sleeper(), at: count)
  }

  /// Keeps the continuation of a waiting task.
  ///
  /// Returns `false` if its wait has ended.
  mutating func suspend(
    _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
  ) -> Bool {
    waiters.update(token) { $0.continuation = continuation }
  }

  mutating func cancel(_ token: TimerToken) -> Sleeper? { waiters.remove(token) }
}
