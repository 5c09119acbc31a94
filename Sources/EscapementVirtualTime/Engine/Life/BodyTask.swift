import CVirtualTime
import _EscapementCore

/// The task that runs the body of a scope, and that may be cancelled before it is created.
final class BodyTask: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    var isCancelled = false
  }

  private let state = Lock(State())

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
    if let task { cvt_cancel_task(unsafeBitCast(task, to: UnsafeMutableRawPointer.self)) }
  }
}
