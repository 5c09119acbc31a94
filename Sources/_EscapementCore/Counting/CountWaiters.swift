/// The tasks that wait until a count reaches a number.
///
/// The owner of the count calls this type under its lock, once per event.
@frozen public struct CountWaiters {
  @usableFromInline var waiters = TimerQueue<Int, Sleeper>()

  /// Creates a collection without waiting tasks.
  @inlinable public init() {}

  /// Adds a task that waits for `number`, or returns `nil` if `count` has reached it already.
  @inlinable public mutating func arm(until number: Int, count: Int) -> TimerToken? {
    count >= number ? nil : waiters.insert(Sleeper(), at: number)
  }

  /// Keeps the continuation of a waiting task.
  ///
  /// Returns `false` if the wait has ended.
  @inlinable public mutating func suspend(
    _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
  ) -> Bool {
    waiters.update(token) { $0.continuation = continuation }
  }

  /// Ends a wait before the count reaches its number.
  ///
  /// Returns what the caller has to resume.
  @inlinable public mutating func cancel(_ token: TimerToken) -> Sleeper? {
    waiters.remove(token)
  }

  /// Ends all waits for `count` and for smaller numbers.
  ///
  /// Returns what the caller has to resume.
  @inlinable public mutating func removeAll(reachedBy count: Int) -> [Sleeper] {
    var reached: [Sleeper] = []
    while let number = waiters.firstDeadline, number <= count, let next = waiters.popFirst() {
      reached.append(next.element)
    }
    return reached
  }
}
