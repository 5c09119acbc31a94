import EscapementVirtualTime
import TestSupport
import Testing

@globalActor private actor Home { static let shared = Home() }

private actor Runner {
  private var sleeps = 0

  func run() async throws -> (inScope: Bool, elapsed: Duration) {
    try await withVirtualTime { time in
      self.assertIsolated()
      let isInScope = VirtualTime.current?.id == time.id
      try await Task.sleep(for: .milliseconds(1))
      self.sleeps += 1
      return (isInScope, time.now.offset)
    }
  }

  func isInsideAfterStartingATask() async throws -> Bool {
    try await withVirtualTime { time in
      await Task {
        self.sleeps += 1
        return VirtualTime.current?.id == time.id
      }.value
    }
  }
}

/// `withVirtualTime` called from an actor's method.
@Suite(.virtualStandardClocks) struct BodyOnActorTests {
  @Test func `a body on an actor of the caller runs in virtual time`() async throws {
    for _ in 0..<20 {
      let (inScope, elapsed) = try await Runner().run()
      #expect(inScope)
      #expect(elapsed == .milliseconds(1))
    }
  }

  @Test func `a task that such a body starts belongs to the scope`() async throws {
    for _ in 0..<20 { #expect(try await Runner().isInsideAfterStartingATask()) }
  }

  @Test func `scopes of one actor take turns and stay exact`() async throws {
    let runner = Runner()
    try await withThrowingTaskGroup { group in
      for _ in 0..<50 { group.addTask { try await runner.run() } }
      for try await (inScope, elapsed) in group {
        #expect(inScope)
        #expect(elapsed == .milliseconds(1))
      }
    }
  }

  @Test func `a body on a global actor runs in virtual time`() async throws {
    for _ in 0..<20 { try await onHome() }
  }

  @Home private func onHome() async throws {
    var isReached = false
    try await withVirtualTime { time in
      #expect(VirtualTime.current?.id == time.id)
      try await Task.sleep(for: .milliseconds(1))
      #expect(time.now.offset == .milliseconds(1))
      isReached = true
    }
    #expect(isReached)
  }
}
