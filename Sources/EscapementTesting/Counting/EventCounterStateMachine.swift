import _EscapementCore

/// The decisions of a counter: who has waited long enough.
struct EventCounterStateMachine {
  private(set) var count = 0
  /// By the number that they wait for.
  private var waiters = TimerQueue<Int, Sleeper>()

  /// Returns those who have waited for this.
  mutating func increment() -> [Sleeper] {
    count += 1
    var reached: [Sleeper] = []
    while let first = waiters.firstDeadline, first <= count, let next = waiters.popFirst() {
      reached.append(next.element)
    }
    return reached
  }

  /// Returns `nil` if the number has been reached.
  mutating func arm(until count: Int) -> TimerToken? {
    self.count >= count ? nil : waiters.insert(Sleeper(), at: count)
  }

  /// Returns `false` if the waiting has ended before.
  mutating func suspend(
    _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
  ) -> Bool {
    waiters.update(token) { $0.continuation = continuation }
  }

  mutating func cancel(_ token: TimerToken) -> Sleeper? { waiters.remove(token) }
}
