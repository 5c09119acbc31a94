import _EscapementCore

/// What a test has seen happen, in order; may be written to from anywhere, and waited for.
package final class Log<Entry: Sendable>: Sendable {
  private struct Waiter {
    let count: Int
    let continuation: CheckedContinuation<Void, Never>
  }

  private let state = Lock<(entries: [Entry], waiters: [Waiter])>(([], []))

  package init() {}

  package var entries: [Entry] { state.withLock { $0.entries } }
  package var count: Int { state.withLock { $0.entries.count } }

  package func append(_ entry: Entry) {
    let satisfied = state.withLock { state in
      state.entries.append(entry)
      let count = state.entries.count
      defer { state.waiters.removeAll { $0.count <= count } }
      return state.waiters.filter { $0.count <= count }
    }
    for waiter in satisfied { waiter.continuation.resume() }
  }

  /// Suspends until there are so many entries.
  package func wait(for count: Int) async {
    await withCheckedContinuation { continuation in
      let isSatisfied = state.withLock { state in
        guard state.entries.count < count else { return true }
        state.waiters.append(Waiter(count: count, continuation: continuation))
        return false
      }
      if isSatisfied { continuation.resume() }
    }
  }
}
