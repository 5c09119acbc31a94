import EscapementTesting
import Foundation
import TestSupport
import Testing

/// A singleton, as most code bases have one.
private actor Cache {
  static let shared = Cache()

  private var count = 0

  /// When the entry was made, and when it is looked at, a while later.
  func entry(after duration: Duration) async throws -> (made: Date, seen: Date) {
    let loading = Task {
      count += 1
      let made = Date()
      try await Task.sleep(for: duration)
      return made
    }
    return (try await loading.value, Date())
  }
}

/// Cases of a parameterised test, side by side, which use the same singleton.
@Suite(.virtualStandardClocks) struct SharedInstanceTests {
  @Test(.virtualTime, arguments: 1...8)
  func `cases that share an actor do not see each other`(minutes: Int) async throws {
    let start = Date()
    #expect(start == Date(timeIntervalSince1970: 946_684_800))
    for round in 1...3 {
      try await withThrowingTaskGroup { group in
        for _ in 0..<100 {
          group.addTask { try await Cache.shared.entry(after: .seconds(60 * minutes)) }
        }
        for try await (made, seen) in group {
          try #require(seen.timeIntervalSince(made) == Double(60 * minutes))
        }
      }
      #expect(Date().timeIntervalSince(start) == Double(60 * minutes * round))
    }
  }

  @Test(.virtualTime, arguments: 1...8)
  func `tasks of cases that share an actor are not cancelled by each other`(seconds: Int)
    async throws
  {
    let tasks = (1...100).map { number in
      Task { try await Cache.shared.entry(after: .seconds(seconds * number)) }
    }
    for (number, task) in zip(1..., tasks) {
      let (made, seen) = try await task.value
      try #require(seen.timeIntervalSince(made) == Double(seconds * number))
    }
  }
}
