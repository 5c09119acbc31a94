/// The state that a member must not forget, and the records that are not saved yet.
struct SavedState {
  /// One step in the life of a member.
  enum Record: Codable, Sendable, Hashable {
    /// Its term, and the candidate that has its vote.
    case term(Int, vote: String?)
    /// Entries that replace all after the first ones.
    case entries(after: Int, [Entry])
  }

  private(set) var term = 0
  private(set) var vote: String?
  private(set) var entries: [Entry] = []
  private var unsaved: [Record] = []

  init(_ records: [Record]) {
    for record in records { apply(record) }
  }

  var end: Position { position(of: entries.count) }

  func position(of count: Int) -> Position {
    Position(term: count == 0 ? 0 : entries[count - 1].term, count: count)
  }

  mutating func change(_ record: Record) {
    apply(record)
    unsaved.append(record)
  }

  private mutating func apply(_ record: Record) {
    switch record {
    case .term(let term, let vote): (self.term, self.vote) = (term, vote)
    case .entries(let count, let new): entries.replaceSubrange(count..., with: new)
    }
  }

  /// The records that must be saved before anyone is told of them.
  mutating func takeRecords() -> [Record] {
    defer { unsaved = [] }
    return unsaved
  }
}
