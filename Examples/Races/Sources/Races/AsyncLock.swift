/// A lock for critical sections that suspend.
package protocol AsyncLock: Actor {
  init()
  func lock() async
  func unlock()
}

/// Opens the lock and then wakes a waiter, which takes it without a look: a newcomer may be first.
package actor RacyAsyncLock: AsyncLock {
  private var isLocked = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  package init() {}

  package func lock() async {
    if isLocked { await withCheckedContinuation { waiters.append($0) } }
    isLocked = true
  }

  package func unlock() {
    isLocked = false
    if !waiters.isEmpty { waiters.removeFirst().resume() }
  }
}

/// Hands the lock to the waiter: it stays locked.
package actor FixedAsyncLock: AsyncLock {
  private var isLocked = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  package init() {}

  package func lock() async {
    guard isLocked else {
      isLocked = true
      return
    }
    await withCheckedContinuation { waiters.append($0) }
  }

  package func unlock() {
    if waiters.isEmpty { isLocked = false } else { waiters.removeFirst().resume() }
  }
}
