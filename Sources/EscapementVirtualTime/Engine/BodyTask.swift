import _EscapementCore

/// The task that runs the body of a scope, and that may be cancelled before it is created.
final class BodyTask: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    var end = End.byItself
  }

  /// How the body ended, or is about to.
  enum End {
    /// It came to its end.
    case byItself
    /// A limit was reached, and it was cancelled for that.
    case limitReached
    /// The scope has ended without waiting for it.
    case givenUp
  }

  private let state = Lock(State())

  var end: End { state.withLock { $0.end } }

  /// The task begins to run, maybe before its creator has told of it.
  func begin() {
    if state.withLock({ $0.isCancelled }) { withUnsafeCurrentTask { $0?.cancel() } }
  }

  func start(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      state.task = task
      return state.isCancelled
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = state.withLock { state in
      state.isCancelled = true
      return state.task
    }
    task?.cancel()
  }

  /// Cancels the body because of a limit.
  func reachLimit() {
    state.withLock { $0.end = .limitReached }
    cancel()
  }

  func giveUp() { state.withLock { $0.end = .givenUp } }
}
