import _EscapementCore

/// Collects values from anywhere, and tells those who wait that there are enough.
final class Recorder<Value: Sendable>: Sendable {
  private let state = Lock<(values: [Value], waiters: TimerQueue<Int, Sleeper>)>(([], TimerQueue()))

  var values: [Value] { state.withLock { $0.values } }
  var count: Int { state.withLock { $0.values.count } }

  func callAsFunction(_ value: Value) {
    let satisfied = state.withLock { state in
      state.values.append(value)
      var satisfied: [Sleeper] = []
      while let count = state.waiters.firstDeadline, count <= state.values.count {
        satisfied.append(state.waiters.popFirst()!.element)
      }
      return satisfied
    }
    for sleeper in satisfied { sleeper.continuation?.resume() }
  }

  /// Suspends until there are so many values.
  func wait(for count: Int) async throws {
    try await Waiting(recorder: self).sleep(until: count)
  }

  private struct Waiting: SleepHost {
    let recorder: Recorder

    func arm(until count: Int) -> TimerToken? {
      recorder.state.withLock {
        $0.values.count < count ? $0.waiters.insert(Sleeper(), at: count) : nil
      }
    }

    func suspend(
      _ token: TimerToken, _ continuation: UnsafeContinuation<Void, any Error>
    ) -> Bool {
      recorder.state.withLock {
        guard $0.waiters[token] != nil else { return false }
        $0.waiters[token]?.continuation = continuation
        return true
      }
    }

    func cancel(_ token: TimerToken) -> Sleeper? {
      recorder.state.withLock { $0.waiters.remove(token) }
    }
  }
}
