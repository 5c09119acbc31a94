import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// The queue on which Foundation keeps the state of all sessions.
  ///
  /// `URLProtocolClient` may be called only there: on another thread it reads tables while the
  /// queue changes them, and crashes. The queue is private. But a session submits its callbacks to
  /// its delegate queue from this queue, and a delegate queue may run a callback immediately.
  enum LoadingQueue {
    private static let session = URLSession(
      configuration: .ephemeral, delegate: nil, delegateQueue: ImmediateQueue())

    /// Creates the objects that cannot be created on the queue itself.
    static func prepare() {
      _ = session
      ShadowURLProtocol.prepare()
    }

    static func run(_ body: @escaping @Sendable () -> Void) {
      session.getAllTasks { _ in body() }
    }

    /// Waits until Foundation has finished its pending work for a task, such as a cancellation.
    static func wait(for task: URLSessionTask) {
      // The priority is read on the queue of the task, after the work that is pending there.
      _ = task.priority
    }
  }

  private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    // Sendable because its superclass is.
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }

#else

  /// The thread on which Foundation accepts answers: on Apple platforms, any thread.
  enum LoadingQueue {
    static func prepare() {}

    static func run(_ body: @escaping @Sendable () -> Void) { body() }

    static func wait(for task: URLSessionTask) {}
  }

#endif
