import EscapementVirtualTime
import TestSupport
import Testing

private actor Turnstile {
  private var count = 0
  func pass() -> Int {
    count += 1
    return count
  }
  func nap(_ duration: Duration) async throws -> Duration {
    count += 1
    return try await measure { try await Task.sleep(for: duration) }
  }
}

/// Many tasks, of many priorities.
@Suite(.virtualStandardClocks) struct CrowdTests {
  @Test func `thousands of children on an actor that two scopes share`() async throws {
    let shared = Turnstile()
    try await withThrowingTaskGroup { scopes in
      for _ in 0..<2 {
        scopes.addTask {
          try await withVirtualTime { time in
            let sum = try await withThrowingTaskGroup { group in
              for number in 1...5_000 {
                group.addTask { try await shared.nap(.milliseconds(number)) }
              }
              return try await group.reduce(Duration.zero, +)
            }
            #expect(sum == .milliseconds(5_000 * 5_001 / 2))
            #expect(time.now.offset == .seconds(5))
          }
        }
      }
      try await scopes.waitForAll()
    }
  }

  @Test func `priorities that are raised while tasks wait for an actor change nothing`()
    async throws
  {
    let shared = Turnstile()
    try await withThrowingTaskGroup { scopes in
      for _ in 0..<2 {
        scopes.addTask {
          try await withVirtualTime { time in
            for _ in 0..<20 {
              let start = time.now
              let tasks = (1...100).map { number in
                Task(priority: number.isMultiple(of: 2) ? .background : .low) {
                  _ = await shared.pass()
                  let length = try await shared.nap(.seconds(number))
                  _ = await shared.pass()
                  return length == .seconds(number)
                }
              }
              try await withThrowingTaskGroup { group in
                for task in tasks { group.addTask(priority: .high) { try await task.value } }
                for try await isRight in group { #expect(isRight) }
              }
              #expect(start.duration(to: time.now) == .seconds(100))
            }
          }
        }
      }
      scopes.addTask {
        for _ in 0..<2_000 {
          _ = await Task(priority: .background) { await shared.pass() }.value
        }
      }
      try await scopes.waitForAll()
    }
  }

  @Test func `children that are not awaited are cancelled in a shared mailbox`() async throws {
    let shared = Turnstile()
    try await withThrowingTaskGroup { scopes in
      for _ in 0..<2 {
        scopes.addTask {
          try await withVirtualTime { time in
            for _ in 0..<300 {
              async let _ = shared.nap(.seconds(1_000))
              _ = await shared.pass()
            }
            #expect(time.now.offset == .zero)
          }
        }
      }
      try await scopes.waitForAll()
    }
  }

  @Test func `two hundred scopes at once share an actor`() async throws {
    let shared = Turnstile()
    try await withThrowingTaskGroup { scopes in
      for number in 1...200 {
        scopes.addTask {
          try await withVirtualTime { time in
            for _ in 0..<20 {
              let length = try await shared.nap(.seconds(number))
              if length != .seconds(number) { Issue.record("\(length)") }
            }
            return time.now.offset == .seconds(20 * number)
          }
        }
      }
      for try await isRight in scopes { #expect(isRight) }
    }
  }
}
