import EscapementModels

/// The ledger of the cluster, as its customers must see it.
struct SequentialLedger: Model {
  enum Call { case book(Int), read }
  var bookings: [String] = []

  /// Draws a call; bookings have one number after the other.
  static func randomCall(_ random: inout DrawnNumbers, booking count: inout Int) -> Call {
    guard Bool.random(using: &random) else { return .read }
    count += 1
    return .book(count)
  }

  mutating func answer(to call: Call) -> [String]? {
    guard case .book(let number) = call else { return bookings }
    bookings.append("\(number)")
    return nil
  }
}
