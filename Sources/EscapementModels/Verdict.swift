extension Model {
  /// Looks for an order of the calls of a history in which each answer is right, and in which a
  /// call stands before all those that began after its end: whether the history is *linearizable*.
  ///
  /// A call without an answer may stand anywhere after its beginning, or be missing.
  ///
  /// - Parameters:
  ///   - history: The calls and their answers.
  ///   - steps: After so many steps of the search, which take about a microsecond each, the verdict
  ///     is unknown.
  /// - Complexity: O(n²) where few calls are under way at the same time. O(2ⁿ) at worst, where n is
  ///   the number of calls at the same time with the same ``key(of:)``.
  public func check(
    _ history: History<Call, Answer>, steps: Int = 10_000_000
  ) -> Verdict<Self> {
    let parts = Dictionary(grouping: history.entries) { key(of: $0.call) }
    var isUnknown = false
    for part in parts.values.sorted(by: { $0[0].beginning < $1[0].beginning }) {
      var search = Linearization<Self>(part)
      switch search.search(from: self, steps: steps) {
      case .found: break
      case .none(let longest): return .wrong(Violation(part, longest: longest, model: self))
      case .unknown: isUnknown = true
      }
    }
    return isUnknown ? .unknown : .right
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

/// Why no order of calls gives their answers.
public struct Violation<M: Model>: Sendable, CustomStringConvertible {
  /// A call of the history.
  public typealias Entry = History<M.Call, M.Answer>.Entry

  /// The calls with the key of the wrong one, in the order in which they began.
  public let entries: [Entry]
  /// The longest order of calls that is right: indices of `entries`.
  public let longest: [Int]
  /// The calls that could be next, and that the model answers in another way.
  public let misfits: [(index: Int, right: M.Answer)]

  init(_ entries: [Entry], longest: [Int], model: M) {
    self.entries = entries
    self.longest = longest
    var model = model
    for index in longest {
      let entry = entries[index]
      if let answer = entry.answer {
        _ = model.allows(answer, to: entry.call)
      } else {
        _ = model.answer(to: entry.call)
      }
    }
    let left = entries.indices.filter { !longest.contains($0) }
    let firstEnd = left.compactMap { entries[$0].end }.min() ?? .max
    misfits = left.compactMap { index in
      let entry = entries[index]
      var after = model
      guard entry.beginning < firstEnd, let answer = entry.answer,
        !after.allows(answer, to: entry.call)
      else { return nil }
      var right = model
      return (index, right.answer(to: entry.call))
    }
  }

  /// A lane for each client, with its calls from left to right, and why they do not fit.
  public var description: String {
    let done = longest.isEmpty ? "" : " after \(longest.map { call(entries[$0]) }.list)"
    let wrong = misfits.map { index, right in
      let entry = entries[index]
      return "\(entry.client)'s \(call(entry)) should give \(right)"
    }
    return """
      No order of these calls gives their answers:
      \(Lanes(entries).text)
      \(wrong.list)\(done).
      """
  }

  private func call(_ entry: Entry) -> String {
    "\(entry.call)" + (entry.answer.map { " → \($0)" } ?? " without an answer")
  }
}

extension [String] {
  fileprivate var list: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + last!
  }
}
