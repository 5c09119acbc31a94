import _EscapementCore

/// Runs of an exploration that draw from what the same runs before have seen, so that the search
/// finds the same however many of them are under way at a time.
final class RunBatch: Sendable {
  private struct State {
    /// The runs that have not begun.
    var rest: Range<Int>
    var outcomes: [ExploredRun.Outcome?]
  }

  private let state: Lock<State>
  private let stopsAtFirstFailure: Bool

  init(count: Int, stopsAtFirstFailure: Bool) {
    state = Lock(State(rest: 0..<count, outcomes: Array(repeating: nil, count: count)))
    self.stopsAtFirstFailure = stopsAtFirstFailure
  }

  /// Begins the next run; `nil` if there is none.
  func next() -> Int? { state.withLock { $0.rest.popFirst() } }

  /// A run has ended.
  ///
  /// If it has failed, no other one begins. Those that are under way may find an earlier failure.
  func end(_ run: Int, _ outcome: ExploredRun.Outcome) {
    state.withLock {
      $0.outcomes[run] = outcome
      if stopsAtFirstFailure, outcome.cause != nil { $0.rest = 0..<0 }
    }
  }

  /// The outcomes in the order of the runs, up to the first failure if the search ends with it.
  var outcomes: [ExploredRun.Outcome] {
    let all = state.withLock { $0.outcomes }.prefix { $0 != nil }.compactMap { $0 }
    let failure = stopsAtFirstFailure ? all.firstIndex { $0.cause != nil } : nil
    return Array(all.prefix((failure ?? all.count) + 1))
  }
}
