import EscapementModels

/// The ledger of the cluster, as its customers must see it.
struct SequentialLedger: Model {
  enum Call { case book(Int), read }
  var bookings: [String] = []

  static func randomCall(_ random: inout DrawnNumbers) -> Call {
    Bool.random(using: &random) ? .book(.random(in: 0...99, using: &random)) : .read
  }

  mutating func answer(to call: Call) -> [String]? {
    guard case .book(let number) = call else { return bookings }
    // A booking that is sent again is booked once.
    if !bookings.contains("\(number)") { bookings.append("\(number)") }
    return nil
  }
}
