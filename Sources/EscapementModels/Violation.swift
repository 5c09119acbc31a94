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

  /// The calls that texts show, all if they are few: the last ones of `longest`, and those that
  /// could be next.
  let shown: [Int]

  /// - Parameter model: The state after the longest order.
  @usableFromInline init(_ entries: [Entry], longest: [Int], model: M) {
    self.entries = entries
    self.longest = longest
    let made = Set(longest)
    let left = entries.indices.filter { !made.contains($0) }
    let firstEnd = left.lazy.compactMap { entries[$0].end }.min() ?? .max
    let next = left.filter { entries[$0].beginning < firstEnd }
    misfits = next.compactMap { index in
      let entry = entries[index]
      var after = model
      guard let answer = entry.answer, !after.allows(answer, to: entry.call) else { return nil }
      var right = model
      return (index, right.answer(to: entry.call))
    }
    let few = 40
    shown =
      entries.count <= few ? Array(entries.indices) : (longest.suffix(few) + next).sorted()
  }

  /// A lane for each client, with its calls from left to right, and why they do not fit.
  public var description: String {
    "\(heading):\n\(Lanes(entries, shown).text)\n\(reason)"
  }

  /// The first line of a text, with the number of calls that are not shown.
  var heading: String {
    let hidden = entries.count - shown.count
    let others = hidden == 0 ? "" : " (\(hidden) others are not shown)"
    return "No order of these calls gives their answers" + others
  }

  /// The calls that do not fit, and those that were made before.
  var reason: String {
    let last = longest.suffix(shown.count)
    let earlier = longest.count > last.count ? ["\(longest.count - last.count) calls"] : []
    let before = earlier + last.map { call(entries[$0]) }
    let done = before.isEmpty ? "" : " after \(before.list)"
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
