import _EscapementCore

/// A task that may be cancelled before it is known.
final class CancellableTask: Sendable {
  private enum State {
    case unknown
    case running(Task<Void, Never>)
    case cancelled
  }

  private let state = Lock(State.unknown)

  func set(_ task: Task<Void, Never>) {
    let isCancelled = state.withLock { state in
      if case .cancelled = state { return true }
      state = .running(task)
      return false
    }
    if isCancelled { task.cancel() }
  }

  func cancel() {
    let task = state.withLock { state in
      defer { state = .cancelled }
      return if case .running(let task) = state { task } else { nil as Task<Void, Never>? }
    }
    task?.cancel()
  }
}
