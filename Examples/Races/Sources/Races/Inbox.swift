/// Keeps messages that no task has waited for.
package actor MessageStore {
  private var messages: [String] = []

  package init() {}

  package func add(_ message: String) { messages.append(message) }
  package func removeFirst() -> String? { messages.isEmpty ? nil : messages.removeFirst() }
}

/// Waits for messages; a wait can be cancelled.
package protocol Inbox: Actor {
  init(store: MessageStore)
  nonisolated func next() async throws -> String
  func deliver(_ message: String) async
}

/// Cancels a wait in a task of its own, which may come before the wait is registered. Nothing resumes
/// it then.
///
/// After the report https://github.com/swiftlang/swift-package-manager/pull/8721 on a lock of the
/// package manager, and https://github.com/apple/swift-async-algorithms/pull/80 on channels.
package actor RacyInbox: Inbox {
  private var waiters: [Int: CheckedContinuation<String, any Error>] = [:]
  private var waiterCount = 0
  private let store: MessageStore

  package init(store: MessageStore) { self.store = store }

  private func newWaiter() -> Int {
    waiterCount += 1
    return waiterCount
  }

  package nonisolated func next() async throws -> String {
    let waiter = await newWaiter()
    return try await withTaskCancellationHandler {
      try await wait(as: waiter)
    } onCancel: {
      Task { await self.cancel(waiter) }
    }
  }

  private func wait(as waiter: Int) async throws -> String {
    if let message = await store.removeFirst() { return message }
    return try await withCheckedThrowingContinuation { waiters[waiter] = $0 }
  }

  private func cancel(_ waiter: Int) {
    waiters.removeValue(forKey: waiter)?.resume(throwing: CancellationError())
  }

  package func deliver(_ message: String) async {
    guard let waiter = waiters.keys.min() else { return await store.add(message) }
    waiters.removeValue(forKey: waiter)?.resume(returning: message)
  }
}

/// Looks for the cancellation when the wait is registered.
package actor FixedInbox: Inbox {
  private var waiters: [Int: CheckedContinuation<String, any Error>] = [:]
  private var waiterCount = 0
  private let store: MessageStore

  package init(store: MessageStore) { self.store = store }

  private func newWaiter() -> Int {
    waiterCount += 1
    return waiterCount
  }

  package nonisolated func next() async throws -> String {
    let waiter = await newWaiter()
    return try await withTaskCancellationHandler {
      try await wait(as: waiter)
    } onCancel: {
      Task { await self.cancel(waiter) }
    }
  }

  private func wait(as waiter: Int) async throws -> String {
    if let message = await store.removeFirst() { return message }
    return try await withCheckedThrowingContinuation { continuation in
      if Task.isCancelled {
        continuation.resume(throwing: CancellationError())
      } else {
        waiters[waiter] = continuation
      }
    }
  }

  private func cancel(_ waiter: Int) {
    waiters.removeValue(forKey: waiter)?.resume(throwing: CancellationError())
  }

  package func deliver(_ message: String) async {
    guard let waiter = waiters.keys.min() else { return await store.add(message) }
    waiters.removeValue(forKey: waiter)?.resume(returning: message)
  }
}
