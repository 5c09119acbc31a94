import Cluster
import Synchronization

/// The answers that customers have got, with which later answers must agree.
final class History: Sendable {
  /// A difference that must never be.
  enum Wrong: Error, Equatable {
    /// A booking was confirmed, and a later answer lacks it.
    case isLost(String)
    /// A booking is in the ledger twice.
    case isTwice(String)
    /// A later answer is older than an earlier one.
    case wentBack
  }

  private struct State {
    var confirmed: Set<String> = []
    var longest: [Booking] = []
  }

  private let state = Mutex(State())

  func confirm(_ booking: Booking) { state.withLock { _ = $0.confirmed.insert(booking.id) } }

  /// Asks for the ledger, and compares the answer with what was known when the question was put.
  func check(_ ask: () async throws -> [Booking]) async throws {
    let known = state.withLock { $0 }
    let answer = try await ask()
    let ids = Set(answer.map(\.id))
    for (place, booking) in answer.enumerated()
    where answer[..<place].contains(where: { $0.id == booking.id }) {
      throw Wrong.isTwice(booking.id)
    }
    if let lost = known.confirmed.subtracting(ids).min() { throw Wrong.isLost(lost) }
    if !answer.starts(with: known.longest) { throw Wrong.wentBack }
    state.withLock { if answer.count > $0.longest.count { $0.longest = answer } }
  }
}
