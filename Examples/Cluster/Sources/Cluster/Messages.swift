/// An item that a client adds to the ledger.
public struct Booking: Codable, Sendable, Hashable {
  /// The same each time the booking is sent, and different from those of all others.
  public let id: String
  /// Any text.
  public let text: String

  /// Makes a booking.
  public init(id: String, text: String) {
    self.id = id
    self.text = text
  }
}

/// One step in the history of the ledger.
struct Entry: Codable, Sendable, Hashable {
  /// The term of the leader that has made it.
  let term: Int
  /// `nil` for the first entry of each leader.
  let booking: Booking?
}

/// The end of a list of entries: how many there are, and the term of the last one.
struct Position: Codable, Sendable, Hashable, Comparable {
  let term, count: Int

  /// The list with the newer term wins, and then the longer one.
  static func < (one: Position, other: Position) -> Bool {
    (one.term, one.count) < (other.term, other.count)
  }
}

/// A question of one member to another one.
struct Request: Codable, Sendable, Hashable {
  enum Content: Codable, Sendable, Hashable {
    /// Whether the sender, whose entries end there, may lead.
    case vote(Position)
    /// To take over entries that follow a position, of which the first ones are committed.
    case append(after: Position, [Entry], committed: Int)
  }

  let term: Int
  let sender: String
  let content: Content
}

/// The other member's answer.
struct Reply: Codable, Sendable, Hashable {
  let term: Int
  let isAccepted: Bool
  /// How many entries it has.
  let count: Int
}
