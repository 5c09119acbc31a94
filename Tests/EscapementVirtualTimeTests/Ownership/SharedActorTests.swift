import EscapementVirtualTime
import TestSupport
import Testing

/// Scopes that share an actor, side by side.
@Suite(.virtualStandardClocks) struct SharedActorTests {
  /// Runs so many scopes at the same time.
  private func sideBySide(
    _ scopes: Int, _ body: @escaping @Sendable (VirtualTime) async throws -> Void
  ) async throws {
    try await withThrowingTaskGroup { group in
      for _ in 0..<scopes { group.addTask { try await withVirtualTime { try await body($0) } } }
      try await group.waitForAll()
    }
  }

  @Test func `sleeps on a shared actor last as long as they should`() async throws {
    for _ in 1...3 {
      try await sideBySide(2) { _ in
        try await withThrowingTaskGroup { group in
          for number in 1...500 {
            group.addTask {
              for _ in 0..<3 {
                let length = try await napOnSharedActor(.milliseconds(number))
                if length != .milliseconds(number) {
                  Issue.record("\(number) ms lasted \(length)")
                }
              }
            }
          }
          try await group.waitForAll()
        }
      }
    }
  }

  @Test func `a sleep is not cut short when another scope cancels its own sleeps`() async throws {
    for _ in 1...5 {
      try await sideBySide(2) { time in
        let cancelled = (1...300).map { number in
          Task { _ = try await napOnSharedActor(.seconds(1_000 + number)) }
        }
        let others = (1...300).map { number in
          Task { try await napOnSharedActor(.milliseconds(number)) }
        }
        try await Task.sleep(for: .milliseconds(50))
        for task in cancelled { task.cancel() }
        for (number, task) in zip(1..., others) {
          #expect(try await task.value == .milliseconds(number))
        }
        #expect(time.now.offset == .milliseconds(300))
      }
    }
  }

  @Test func `code on a shared actor knows the scope that called it`() async throws {
    try await sideBySide(2) { time in
      await withTaskGroup { group in
        for _ in 0..<1_000 { group.addTask { await scopeOnSharedActor() } }
        for await scope in group { #expect(scope == time.id) }
      }
    }
  }

  @Test func `what is left over on a shared actor is listed by its own scope only`() async throws {
    for _ in 1...5 {
      let issues = await issues {
        await withTaskGroup { group in
          for name in ["left", "right"] {
            group.addTask {
              _ = try? await withVirtualTime { _ in
                for _ in 0..<9 {
                  Task(name: name) { try await napOnSharedActor(.seconds(1_000)) }
                }
                for _ in 0..<20 { _ = try await napOnSharedActor(.seconds(1)) }
              }
            }
          }
        }
      }
      #expect(issues.count == 2)
      for name in ["left", "right"] {
        let counts = issues.map { $0.message.components(of: "“\(name)”") }
        #expect(counts.sorted() == [0, 9], "\(issues)")
      }
    }
  }
}

extension String {
  /// How often a text occurs.
  fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
