import BenchmarkSupport
import Dispatch
import EscapementVirtualTime

/// Work of queues, threads and event loops in a scope.
///
/// Its log, with exact times, must be the same in each round.
struct ReachScenario: Sendable {
  let name: String
  /// The virtual time at which the scenario ends.
  let lastMillisecond: Int
  let play: @Sendable (Journal) async throws -> Void

  static let all = queues + waits + threads + loops + networks

  func run(rounds: Int) async -> Int {
    let tally = Tally(name, of: rounds)
    var first: [String]?
    for _ in 0..<rounds {
      await tally.count {
        let log = Journal()
        try await withVirtualTime { _ in
          try await play(log)
          log.mark("end")
        }
        let entries = log.entries
        let expected = first ?? entries
        first = expected
        guard entries.last == "end@\(lastMillisecond)" else { return ["\(entries)"] }
        return entries == expected ? [] : ["\(entries) instead of \(expected)"]
      }
    }
    return tally.finish()
  }
}

extension ReachScenario {
  /// A scenario that ends when all of a group has left it.
  init(
    _ name: String, endingAt lastMillisecond: Int,
    start: @escaping @Sendable (Journal, DispatchGroup) -> Void
  ) {
    self.init(name: name, lastMillisecond: lastMillisecond) { log in
      let all = DispatchGroup()
      start(log, all)
      await withCheckedContinuation { done in all.notify(queue: .global()) { done.resume() } }
    }
  }
}
