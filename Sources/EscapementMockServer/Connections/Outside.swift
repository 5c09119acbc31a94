#if MockServer
  import Dispatch

  /// Work that must not run in a virtual-time scope, even if the caller is in one.
  ///
  /// Sockets are real, so a task that waits for a socket must not count as a task of a scope. Also,
  /// a scope runs the actors that it uses until it ends, but the actor that waits for sockets
  /// serves all tests.
  enum Outside {
    // A task belongs to the scope of the thread or task that creates it. These threads have no
    // scope.
    private static let queue = DispatchQueue.global()

    /// Starts a task that belongs to no scope.
    static func task(
      _ name: String, _ work: @escaping @Sendable () async -> Void
    ) async -> Task<Void, Never> {
      await withUnsafeContinuation { continuation in
        queue.async {
          continuation.resume(returning: Task.detached(name: name) { await work() })
        }
      }
    }

    /// Cancels a task that belongs to no scope.
    ///
    /// Cancellation handlers run on the cancelling thread and may start tasks, so it must have no
    /// scope.
    static func cancel(_ task: Task<Void, Never>) { queue.async { task.cancel() } }
  }
#endif
