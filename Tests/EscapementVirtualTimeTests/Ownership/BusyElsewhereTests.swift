import EscapementVirtualTime
import TestSupport
import Testing

private actor Busy {
  func work() { keepBusy() }

  func nap() async throws -> Duration {
    try await measure {
      keepBusy()
      try await Task.sleep(for: .seconds(1))
      keepBusy()
    }
  }
}

/// Counts what is not exact when a scope uses an actor, while another task could move time on.
private func inexact(_ busy: Busy, rounds: Int) async throws -> Int {
  try await withVirtualTime { _ in
    let beat = Task { while true { try await Task.sleep(for: .milliseconds(100)) } }
    defer { beat.cancel() }
    var wrong = 0
    for _ in 0..<rounds {
      if await measure({ await busy.work() }) != .zero { wrong += 1 }
      if try await busy.nap() != .seconds(1) { wrong += 1 }
    }
    return wrong
  }
}

/// Tasks of a scope in the mailbox of an actor that runs somewhere else.
@Suite(.virtualStandardClocks) struct BusyElsewhereTests {
  @Test func `time waits for a task in the mailbox of an actor that the outside keeps busy`()
    async throws
  {
    let busy = Busy()
    let outside = (0..<2).map { _ in
      Task.detached {
        while !Task.isCancelled {
          await busy.work()
          await Task.yield()
        }
      }
    }
    #expect(try await inexact(busy, rounds: 100) == 0)
    for task in outside { task.cancel() }
    for task in outside { await task.value }
  }

  @Test func `time waits for a task in the mailbox of an actor that other scopes keep busy`()
    async throws
  {
    let busy = Busy()
    let wrong = try await withThrowingTaskGroup { group in
      for _ in 0..<4 { group.addTask { try await inexact(busy, rounds: 50) } }
      return try await group.reduce(0, +)
    }
    #expect(wrong == 0)
  }
}
