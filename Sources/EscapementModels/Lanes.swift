/// The calls of a history as text: a line for each client.
struct Lanes<Call: Sendable, Answer: Sendable> {
  typealias Entry = History<Call, Answer>.Entry

  private let entries: [Entry]

  init(_ entries: [Entry]) { self.entries = entries }

  /// The columns in which calls begin and end.
  ///
  /// Later events stand further to the right.
  private var columns: [Int: Int] {
    var events: [(place: Int, entry: Int)] = []
    for (number, entry) in entries.enumerated() {
      events.append((entry.beginning, number))
      events.append((entry.end ?? .max, number))
    }
    var columns: [Int: Int] = [:]
    var column = 0
    for (place, number) in events.sorted(by: { $0.place < $1.place }) {
      if let beginning = columns[entries[number].beginning] {
        column = max(column, beginning + label(entries[number]).count + 2)
      }
      columns[place] = column
      column += 1
    }
    return columns
  }

  var text: String {
    let columns = columns
    var clients: [String] = []
    for entry in entries where !clients.contains(entry.client) { clients.append(entry.client) }
    let width = clients.map(\.count).max() ?? 0
    return clients.sorted().map { client in
      var line = client.padded(to: width) + "  "
      let start = line.count
      for entry in entries where entry.client == client {
        line = line.padded(to: start + columns[entry.beginning]!) + "["
        line += " \(label(entry))"
        let end = columns[entry.end ?? .max]!
        line = line.padded(to: start + end) + (entry.end == nil ? " …" : "]")
      }
      return line
    }.joined(separator: "\n")
  }

  private func label(_ entry: Entry) -> String {
    "\(entry.call)" + (entry.answer.map { " → \($0)" } ?? "") + " "
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
