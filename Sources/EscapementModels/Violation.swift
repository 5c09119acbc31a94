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

  @usableFromInline init(_ entries: [Entry], longest: [Int], model: M) {
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
    "No order of these calls gives their answers:\n\(Lanes(entries).text)\n\(reason)"
  }

  /// The calls that do not fit, and those that were made before.
  var reason: String {
    let done = longest.isEmpty ? "" : " after \(longest.map { call(entries[$0]) }.list)"
    let wrong = misfits.map { index, right in
      let entry = entries[index]
      return "\(entry.client)'s \(call(entry)) should give \(plainText(right))"
    }
    return "\(wrong.list)\(done)."
  }

  private func call(_ entry: Entry) -> String {
    entry.text + (entry.answer == nil ? " without an answer" : "")
  }
}

extension [String] {
  fileprivate var list: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + last!
  }
}
