/// Runs an operation on behalf of a caller; cancelling the caller cancels the operation.
package protocol TaskScheduler: Actor {
  init(analytics: Analytics)
  nonisolated func run(_ operation: @escaping @Sendable () async -> Void) async
}

/// Forwards a cancellation to the operation, if that has begun. One that comes before is lost.
///
/// After the report https://github.com/swiftlang/sourcekit-lsp/pull/2152.
package actor RacyTaskScheduler: TaskScheduler {
  private let analytics: Analytics
  private var running: [Int: Task<Void, Never>] = [:]
  private var lastID = 0

  package init(analytics: Analytics) { self.analytics = analytics }

  private func newID() -> Int {
    lastID += 1
    return lastID
  }

  package nonisolated func run(_ operation: @escaping @Sendable () async -> Void) async {
    let id = await newID()
    await withTaskCancellationHandler {
      await start(id, operation).value
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func start(
    _ id: Int, _ operation: @escaping @Sendable () async -> Void
  ) async -> Task<Void, Never> {
    await analytics.log("operation started")
    let task = Task { await operation() }
    running[id] = task
    return task
  }

  private func cancel(_ id: Int) { running[id]?.cancel() }
}

/// Remembers a cancellation that comes before the operation.
package actor FixedTaskScheduler: TaskScheduler {
  private let analytics: Analytics
  private var running: [Int: Task<Void, Never>] = [:]
  private var lastID = 0

  package init(analytics: Analytics) { self.analytics = analytics }

  private func newID() -> Int {
    lastID += 1
    return lastID
  }

  package nonisolated func run(_ operation: @escaping @Sendable () async -> Void) async {
    let id = await newID()
    await withTaskCancellationHandler {
      await start(id, operation).value
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func start(
    _ id: Int, _ operation: @escaping @Sendable () async -> Void
  ) async -> Task<Void, Never> {
    await analytics.log("operation started")
    let task = Task { await operation() }
    running[id] = task
    if Task.isCancelled { task.cancel() }
    return task
  }

  private func cancel(_ id: Int) { running[id]?.cancel() }
}
