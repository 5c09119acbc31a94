import EscapementVirtualTime
import TestSupport
import Testing

/// State of the main actor that all scopes and the outside share.
@MainActor private enum Desk {
  static var isOccupied = false
  static var visits = 0

  /// Returns whether the visitor was alone.
  static func visit() -> Bool {
    MainActor.assertIsolated()
    let wasFree = !isOccupied
    isOccupied = true
    keepBusy(20)
    isOccupied = false
    visits += 1
    return wasFree
  }
}

/// The main actor, used by scopes and by the outside at the same time.
@Suite(.virtualStandardClocks) struct MainActorTests {
  @Test func `main-actor jobs of two scopes and the outside never run at the same time`()
    async throws
  {
    let before = await Desk.visits
    let wrong = try await withThrowingTaskGroup { group in
      for _ in 0..<2 {
        group.addTask {
          try await withVirtualTime { _ in
            var wrong = 0
            for _ in 0..<1_000 {
              if await !Desk.visit() { wrong += 1 }
              await Task { @concurrent in keepBusy(20) }.value
              if await Task(operation: { @MainActor in !Desk.visit() }).value { wrong += 1 }
            }
            return wrong
          }
        }
      }
      group.addTask {
        var wrong = 0
        for _ in 0..<2_000 where await !Desk.visit() { wrong += 1 }
        return wrong
      }
      return try await group.reduce(0, +)
    }
    #expect(wrong == 0)
    #expect(await Desk.visits - before == 6_000)
  }

  @Test func `main-actor jobs of a scope run in the order in which they were enqueued`()
    async throws
  {
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          let log = Log<Int>()
          try await withVirtualTime { time in
            for number in 0..<300 {
              if number.isMultiple(of: 3) {
                Task { log.append(number) }
              } else {
                Task { @MainActor in log.append(number) }
              }
            }
            await time.settle()
          }
          #expect(log.entries == Array(0..<300))
        }
      }
      try await group.waitForAll()
    }
  }

  @Test @MainActor func `a body on the main actor shares it with what it starts`() async throws {
    var steps: [String] = []
    try await withVirtualTime { _ in
      for number in 0..<3 { Task { steps.append("task \(number)") } }
      steps.append("body")
      try await Task.sleep(for: .seconds(1))
      steps.append("body again")
      await Task.detached { await MainActor.run { MainActor.assertIsolated() } }.value
    }
    #expect(steps == ["body", "task 0", "task 1", "task 2", "body again"])
  }
}
