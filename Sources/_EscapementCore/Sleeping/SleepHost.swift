/// What is suspended in a sleep: nothing yet, or a continuation.
///
/// A sleep is an entry of a ``TimerQueue``. The entry is there before the task suspends and leaves
/// exactly once, by its deadline or by cancellation; whoever takes it out owns the wake-up. So the
/// three events (suspend, wake, cancel) may come in any order and from any thread.
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
/// Each requirement is one event, to be handled under the lock.
public protocol SleepHost: Sendable {
  associatedtype Deadline

  /// Arms a sleep for the task that calls, or returns `nil` if the deadline has been reached.
  func arm(until deadline: Deadline) throws -> TimerToken?

  /// Keeps the continuation until the sleep ends. Returns `false` if it has ended before.
  func suspend(_ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>) -> Bool

  /// Ends a sleep before its deadline. Returns what has to be resumed.
  func cancel(_ token: TimerToken) -> Sleeper?

  /// The task runs again after a sleep that was armed. Not called under the lock.
  func didReturn()
}

extension SleepHost {
  /// Does nothing.
  @inlinable public func didReturn() {}

  /// Suspends the task until the deadline.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before the deadline is reached, also
  ///   when it was cancelled before the call.
  @inlinable @inline(__always) public func sleep(until deadline: Deadline) async throws {
    // Inlined because each asynchronous function has a frame of its own: as long as they fit into
    // what a task is born with, a sleep costs a task no further memory.
    try Task.checkCancellation()
    guard let token = try arm(until: deadline) else { return }
    defer { didReturn() }
    try await withTaskCancellationHandler {
      try await withUnsafeThrowingContinuation { continuation in
        guard !suspend(token, continuation) else { return }
        // It ended between arming and here: by cancellation, or because time moved on.
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
