import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// The queue on which Foundation keeps the state of all sessions.
  ///
  /// `URLProtocolClient` may be called there only: elsewhere it reads tables that the queue is changing,
  /// which crashes. The queue is private. But a session hands what it has to say to its delegate queue,
  /// and does so on this queue; and a delegate queue can be one that does not wait.
  enum LoadingQueue {
    private static let session = URLSession(
      configuration: .ephemeral, delegate: nil, delegateQueue: ImmediateQueue())

    /// Makes what cannot be made on the queue itself.
    static func prepare() {
      _ = session
      ShadowURLProtocol.prepare()
    }

    static func run(_ body: @escaping @Sendable () -> Void) {
      session.getAllTasks { _ in body() }
    }

    /// Returns when Foundation has done what was due on its queue for a task, such as to cancel it.
    static func wait(for task: URLSessionTask) {
      // Is read on the task's own part of the queue, behind what waits there.
      _ = task.priority
    }
  }

  private final class ImmediateQueue: OperationQueue, @unchecked Sendable {
    // Sendable because its superclass is.
    override func addOperation(_ block: @escaping @Sendable () -> Void) { block() }
  }

#else

  /// Where Foundation takes answers: on Apple platforms, everywhere.
  enum LoadingQueue {
    static func prepare() {}

    static func run(_ body: @escaping @Sendable () -> Void) { body() }

    static func wait(for task: URLSessionTask) {}
  }

#endif
