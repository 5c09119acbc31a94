import Foundation
import Synchronization

/// Counts how often something was checked, and how often it was wrong.
package final class Tally: Sendable {
  private struct State {
    var done = 0
    var wrong = 0
  }

  private let name: String
  private let total: Int?
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  /// Creates a tally; without a total, as many checks are expected as there will have been.
  package init(_ name: String, of total: Int?) {
    self.name = name
    self.total = total
  }

  /// Makes one check.
  ///
  /// - Parameter check: Returns what was wrong. Nor may it throw.
  package nonisolated(nonsending) func count(
    _ check: nonisolated(nonsending) () async throws -> [String]
  ) async {
    do {
      record(try await check())
    } catch {
      record(["\(error)"])
    }
  }

  private func record(_ complaints: [String]) {
    let (done, wrong) = state.withLock { state in
      state.done += 1
      if !complaints.isEmpty { state.wrong += 1 }
      return (state.done, state.wrong)
    }
    // The first few tell what is wrong, and the rest only how often.
    if !complaints.isEmpty, wrong <= 3 {
      let text = "\(name), \(done.grouped): \(complaints.joined(separator: "; "))\n"
      FileHandle.standardError.write(Data(text.utf8))
    }
    if done % 100 == 0, let total {
      Progress.show("\(name): \(done.grouped) of \(total.grouped)")
    }
  }

  /// Prints the result.
  ///
  /// - Returns: How many were wrong; those that have not been checked are among them.
  package func finish() -> Int {
    let (done, wrong) = state.withLock { ($0.done, $0.wrong + (total ?? $0.done) - $0.done) }
    Self.printResult(name, wrong: wrong, of: total ?? done, since: start)
    return wrong
  }

  /// Prints the line for something that was counted by other means.
  package static func printResult(
    _ name: String, wrong: Int, of total: Int, since start: ContinuousClock.Instant
  ) {
    let seconds = start.duration(to: .now).seconds.rounded(decimals: 1)
    Progress.show("")
    print("\(name) (\(seconds) s): wrong \(wrong) of \(total)")
    // At once, also into a pipe: if the next count hung, one would want to see this one.
    fflush(nil)
  }
}
