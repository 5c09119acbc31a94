package struct MutexWaitCancelled: Error { package init() {} }

/// A lock whose waiters can be cancelled: a waiter that is cancelled must not enter.
package protocol CancellableLock: Actor {
  init()
  nonisolated func lock() async throws
  func unlock()
}

/// Removes a cancelled waiter in a task of its own. An `unlock` that comes first lets it enter.
///
/// After the report https://github.com/repoprompt/repoprompt-ce/issues/492.
package actor RacyCancellableLock: CancellableLock {
  private var isLocked = false
  private var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var lastID = 0

  package init() {}

  private func newID() -> Int {
    lastID += 1
    return lastID
  }

  package nonisolated func lock() async throws {
    let id = await newID()
    let hasEntered = await withTaskCancellationHandler {
      await enter(id)
    } onCancel: {
      Task { await self.remove(id) }
    }
    guard hasEntered else { throw MutexWaitCancelled() }
  }

  private func enter(_ id: Int) async -> Bool {
    if isLocked { return await withCheckedContinuation { waiters.append((id, $0)) } }
    isLocked = true
    return true
  }

  private func remove(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }

  package func unlock() {
    if waiters.isEmpty {
      isLocked = false
    } else {
      waiters.removeFirst().continuation.resume(returning: true)
    }
  }
}

/// A waiter that finds itself cancelled gives the lock back.
package actor FixedCancellableLock: CancellableLock {
  private var isLocked = false
  private var waiters: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var lastID = 0

  package init() {}

  private func newID() -> Int {
    lastID += 1
    return lastID
  }

  package nonisolated func lock() async throws {
    let id = await newID()
    let hasEntered = await withTaskCancellationHandler {
      await enter(id)
    } onCancel: {
      Task { await self.remove(id) }
    }
    guard hasEntered else { throw MutexWaitCancelled() }
    guard !Task.isCancelled else {
      await unlock()
      throw MutexWaitCancelled()
    }
  }

  private func enter(_ id: Int) async -> Bool {
    if Task.isCancelled { return false }
    if isLocked { return await withCheckedContinuation { waiters.append((id, $0)) } }
    isLocked = true
    return true
  }

  private func remove(_ id: Int) {
    guard let index = waiters.firstIndex(where: { $0.id == id }) else { return }
    waiters.remove(at: index).continuation.resume(returning: false)
  }

  package func unlock() {
    if waiters.isEmpty {
      isLocked = false
    } else {
      waiters.removeFirst().continuation.resume(returning: true)
    }
  }
}
