/// Counts up, so that waiters may go on.
package protocol Semaphore: Actor {
  init(value: Int, analytics: Analytics)
  func wait() async
  func signal()
}

/// Looks at the count, reports, and then waits: a signal in between wakes no task.
package actor RacySemaphore: Semaphore {
  private let analytics: Analytics
  private var value: Int
  private var waiters: [CheckedContinuation<Void, Never>] = []

  package init(value: Int, analytics: Analytics) {
    self.value = value
    self.analytics = analytics
  }

  package func wait() async {
    if value > 0 {
      value -= 1
      return
    }
    await analytics.log("has to wait")
    await withCheckedContinuation { waiters.append($0) }
  }

  package func signal() {
    if waiters.isEmpty { value += 1 } else { waiters.removeFirst().resume() }
  }
}

/// Waits in the step in which it looks.
package actor FixedSemaphore: Semaphore {
  private let analytics: Analytics
  private var value: Int
  private var waiters: [CheckedContinuation<Void, Never>] = []

  package init(value: Int, analytics: Analytics) {
    self.value = value
    self.analytics = analytics
  }

  package func wait() async {
    if value > 0 {
      value -= 1
      return
    }
    await withCheckedContinuation { waiters.append($0) }
    await analytics.log("had to wait")
  }

  package func signal() {
    if waiters.isEmpty { value += 1 } else { waiters.removeFirst().resume() }
  }
}
