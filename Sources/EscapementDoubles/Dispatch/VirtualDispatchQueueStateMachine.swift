/// The decisions of a serial queue.
struct VirtualDispatchQueueStateMachine<Work> {
  private var ready: [Work] = []
  /// How much of `ready` has been taken already.
  private var taken = 0
  private(set) var isRunning = false

  /// Whether work waits to be begun.
  var hasWork: Bool { taken < ready.count }

  mutating func submit(_ work: Work) { ready.append(work) }

  /// Begins to run the oldest work; `nil` if there is none, or other work is running.
  mutating func begin() -> Work? {
    guard !isRunning, hasWork else { return nil }
    isRunning = true
    defer {
      taken += 1
      if taken == ready.count || taken > 1024 {
        ready.removeFirst(taken)
        taken = 0
      }
    }
    return ready[taken]
  }

  /// Begins to run work that somebody waits for; `false` if that would be a deadlock.
  ///
  /// - Precondition: All work that was submitted has run.
  mutating func beginSync() -> Bool {
    guard !isRunning else { return false }
    isRunning = true
    return true
  }

  /// The work that was begun has ended.
  mutating func ended() { isRunning = false }
}
