/// The state machine of a serial queue.
struct VirtualDispatchQueueStateMachine<Work> {
  private var ready: [Work] = []
  /// The number of elements at the front of `ready` that have been taken.
  private var taken = 0
  private(set) var isRunning = false

  /// Whether submitted work has not begun yet.
  var hasWork: Bool { taken < ready.count }

  mutating func submit(_ work: Work) { ready.append(work) }

  /// Begins to run the oldest work; `nil` if there is none, or if other work is running.
  mutating func begin() -> Work? {
    guard !isRunning, hasWork else { return nil }
    isRunning = true
    defer {
      taken += 1
      // Then fewer pieces have to move than have been taken, so a long queue takes linear time.
      if taken > ready.count / 2 {
        ready.removeFirst(taken)
        taken = 0
      }
    }
    return ready[taken]
  }

  /// Begins to run work for a caller that waits; `false` if that would be a deadlock.
  ///
  /// - Precondition: All work that was submitted has run.
  mutating func beginSync() -> Bool {
    guard !isRunning else { return false }
    isRunning = true
    return true
  }

  /// The running work has ended.
  mutating func ended() { isRunning = false }
}
