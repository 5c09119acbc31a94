#if MockServer
  import Dispatch

  /// What must not be done in a virtual-time scope, whoever calls.
  ///
  /// Sockets are real: what waits for them must not be taken for something that waits in a scope. And an
  /// actor that a scope gives work to is run by this scope, which ends, while the actor that waits for
  /// the sockets serves everybody.
  enum Outside {
    // A task belongs to the scope of the thread or task that creates it. These threads have none.
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

    /// Cancels such a task.
    ///
    /// Whoever hears of it does so on the thread that cancels, and may start tasks there.
    static func cancel(_ task: Task<Void, Never>) { queue.async { task.cancel() } }
  }
#endif
