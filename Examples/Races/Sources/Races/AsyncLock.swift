/// A lock for critical sections that suspend.
public protocol AsyncLock: Actor {
  init()
  func lock() async
  func unlock()
}

/// Opens the lock and then wakes a waiter, which takes it without a look: a newcomer may be first.
public actor RacyAsyncLock: AsyncLock {
  private var isLocked = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  public init() {}

  public func lock() async {
    if isLocked { await withCheckedContinuation { waiters.append($0) } }
    isLocked = true
  }

  public func unlock() {
    isLocked = false
    if !waiters.isEmpty { waiters.removeFirst().resume() }
  }
}

/// Hands the lock to the waiter: it stays locked.
public actor FixedAsyncLock: AsyncLock {
  private var isLocked = false
  private var waiters: [CheckedContinuation<Void, Never>] = []

  public init() {}

  public func lock() async {
    guard isLocked else {
      isLocked = true
      return
    }
    await withCheckedContinuation { waiters.append($0) }
  }

  public func unlock() {
    if waiters.isEmpty { isLocked = false } else { waiters.removeFirst().resume() }
  }
}
