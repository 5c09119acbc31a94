/// The calls of a history in lanes, one for each client, from left to right.
struct Lanes<Call: Sendable, Answer: Sendable> {
  typealias Entry = History<Call, Answer>.Entry

  /// A call in its lane.
  struct Box {
    /// The index of the call.
    let index: Int
    /// The columns of its first and its last character.
    let start: Int
    let end: Int
  }

  private let entries: [Entry]
  /// The lanes, in the order of the clients' names.
  let all: [(client: String, boxes: [Box])]

  /// - Parameter shown: The indices of those that are shown.
  init(_ entries: [Entry], _ shown: [Int]) {
    self.entries = entries
    let columns = Self.columns(of: shown.map { entries[$0] })
    let boxes = shown.map { index in
      let entry = entries[index]
      return Box(
        index: index, start: columns[entry.beginning]!, end: columns[entry.end ?? .max]!)
    }
    all = Dictionary(grouping: boxes) { entries[$0.index].client }
      .map { (client: $0.key, boxes: $0.value) }.sorted { $0.client < $1.client }
  }

  /// The columns in which calls begin and end.
  ///
  /// Later events stand further to the right.
  private static func columns(of entries: [Entry]) -> [Int: Int] {
    var events: [(place: Int, entry: Entry)] = []
    for entry in entries {
      events.append((entry.beginning, entry))
      events.append((entry.end ?? .max, entry))
    }
    var columns: [Int: Int] = [:]
    var column = 0
    for (place, entry) in events.sorted(by: { $0.place < $1.place }) {
      if let beginning = columns[entry.beginning] {
        column = max(column, beginning + entry.text.count + 3)
      }
      columns[place] = column
      column += 1
    }
    return columns
  }

  /// A line for each client.
  var text: String {
    let width = all.map(\.client.count).max() ?? 0
    return all.map { client, boxes in
      var line = client.padded(to: width) + "  "
      let start = line.count
      for box in boxes {
        line = line.padded(to: start + box.start) + "[ \(entries[box.index].text) "
        let hasAnswer = entries[box.index].answer != nil
        line = line.padded(to: start + box.end) + (hasAnswer ? "]" : " …")
      }
      return line
    }.joined(separator: "\n")
  }
}

extension History.Entry {
  /// The call and its answer.
  var text: String { "\(call)" + (answer.map { " → \(plainText($0))" } ?? "") }
}

/// An answer as text, without the word `Optional`.
func plainText(_ answer: Any) -> String {
  let mirror = Mirror(reflecting: answer)
  guard mirror.displayStyle == .optional else { return "\(answer)" }
  return mirror.children.first.map { plainText($0.value) } ?? "nil"
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
