extension Model {
  /// Looks for an order of the calls of a history in which each answer is right, and in which a
  /// call stands before all those that began after its end: whether the history is *linearizable*.
  ///
  /// A call without an answer may stand anywhere after its beginning, or be missing.
  ///
  /// - Parameters:
  ///   - history: The calls and their answers.
  ///   - steps: The most steps of the search for each key, of less than a microsecond each. After
  ///     them, the verdict is unknown.
  /// - Complexity: O(n²) where few calls are under way at the same time. O(2ⁿ) at worst, where n is
  ///   the number of calls at the same time with the same ``key(of:)``.
  @inlinable public func check(
    _ history: History<Call, Answer>, steps: Int = 10_000_000
  ) -> Verdict<Self> {
    var searches = Dictionary(grouping: history.entries) { key(of: $0.call) }.values
      .sorted { $0[0].beginning < $1[0].beginning }
      .map { KeySearch($0, from: self) }
    // A wrong key may be found at once, and a right one after a long time.
    var (limit, used) = (min(1_000, steps), 0)
    while !searches.isEmpty, used < steps {
      for index in searches.indices {
        if let violation = searches[index].goOn(limit - used) {
          return .wrong(violation)
        }
      }
      searches.removeAll { $0.isRight }
      (limit, used) = (limit > steps / 10 ? steps : limit * 10, limit)
    }
    return searches.isEmpty ? .right : .unknown
  }
}

/// The search in the calls with one key.
@frozen @usableFromInline struct KeySearch<M: Model> {
  @usableFromInline let entries: [History<M.Call, M.Answer>.Entry]
  @usableFromInline var states: ModelStates<M>
  @usableFromInline var search: Linearization
  @usableFromInline var isRight = false

  @usableFromInline init(_ entries: [History<M.Call, M.Answer>.Entry], from model: M) {
    self.entries = entries
    states = ModelStates(entries, first: model)
    search = Linearization(entries.map { ($0.beginning, $0.end) })
  }

  /// Goes on for a number of steps; returns the violation, if there is one.
  @inlinable mutating func goOn(_ steps: Int) -> Violation<M>? {
    switch search.goOn(steps, after: { states.after($0, call: $1, choice: $2) }) {
    case .found: isRight = true
    case .none(let longest, let state):
      return Violation(entries, longest: longest, model: states.all[state])
    case .unknown: break
    }
    return nil
  }
}

/// Whether there is an order of concurrent calls in which each answer is right.
public enum Verdict<M: Model>: Sendable {
  /// There is one.
  case right
  /// There is none.
  case wrong(Violation<M>)
  /// The search has used up its steps.
  case unknown
}
