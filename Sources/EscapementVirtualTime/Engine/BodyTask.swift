import _EscapementCore

/// The task that runs the body of a scope, and that may be cancelled before it is created.
final class BodyTask: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
    var isGivenUp = false
  }

  private let state = Lock(State())

  /// Whether the scope has ended without waiting for the body.
  var isGivenUp: Bool { state.withLock { $0.isGivenUp } }

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

  func giveUp() { state.withLock { $0.isGivenUp = true } }
}
