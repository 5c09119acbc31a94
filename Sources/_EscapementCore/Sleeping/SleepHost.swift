/// The continuation of a sleeping task, once the task has suspended.
///
/// A sleep is an entry of a ``TimerQueue``. The entry is added before the task suspends. It leaves
/// the queue exactly once, by its deadline or by cancellation, and the caller that removes it must
/// resume the task. So the three events (suspend, wake, cancel) may come in any order and from any
/// thread.
@frozen public struct Sleeper: Sendable {
  /// `nil` until the task has suspended.
  public var continuation: UnsafeContinuation<Void, any Error>?

  /// Creates a sleep whose task may not have suspended yet.
  @inlinable public init(_ continuation: UnsafeContinuation<Void, any Error>? = nil) {
    self.continuation = continuation
  }
}

/// A clock that keeps its sleeps in a ``TimerQueue`` behind a lock.
///
/// Each requirement is one event. The host handles it under its lock.
public protocol SleepHost: Sendable {
  /// The time at which a sleep ends.
  associatedtype Deadline

  /// Arms a sleep for the calling task, or returns `nil` if the deadline has been reached.
  func arm(until deadline: Deadline) throws -> TimerToken?

  /// Keeps the continuation until the sleep ends. Returns `false` if the sleep has already ended.
  func suspend(_ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>) -> Bool

  /// Ends a sleep before its deadline. Returns what the caller has to resume.
  func cancel(_ token: TimerToken) -> Sleeper?

  /// Tells the host that a task runs again after a sleep. Not called under the lock.
  func didReturn()
}

extension SleepHost {
  /// Does nothing.
  @inlinable public func didReturn() {}

  /// Suspends the task until the deadline.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before the deadline is reached, or
  ///   was cancelled before the call.
  @inlinable @inline(__always) public func sleep(until deadline: Deadline) async throws {
    // Inlined because each asynchronous function has a frame of its own. As long as all frames fit
    // into the memory that a task starts with, a sleep allocates nothing.
    try Task.checkCancellation()
    guard let token = try arm(until: deadline) else { return }
    defer { didReturn() }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        guard !suspend(token, continuation) else { return }
        // The sleep ended after it was armed: by cancellation, or because time moved on.
        if Task.isCancelled {
          continuation.resume(throwing: CancellationError())
        } else {
          continuation.resume()
        }
      }
    } onCancel: {
      cancel(token)?.continuation?.resume(throwing: CancellationError())
    }
  }
}
