import _EscapementCore

/// Collects values from any task, and resumes the tasks that wait for a number of them.
final class Recorder<Value: Sendable>: Sendable {
  private struct Waiter {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state = Lock<(values: [Value], waiters: [Waiter])>(([], []))

  var values: [Value] { state.withLock { $0.values } }
  var count: Int { state.withLock { $0.values.count } }

  func callAsFunction(_ value: Value) {
    let satisfied = state.withLock { state in
      state.values.append(value)
      let count = state.values.count
      defer { state.waiters.removeAll { $0.count <= count } }
      return state.waiters.filter { $0.count <= count }
    }
    for waiter in satisfied { waiter.continuation.resume() }
  }

  /// Suspends until the recorder has at least `count` values.
  func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isSatisfied = state.withLock { state in
        guard state.values.count < count else { return true }
        state.waiters.append(Waiter(count: count, continuation: continuation))
        return false
      }
      if isSatisfied { continuation.resume() }
    }
  }
}
