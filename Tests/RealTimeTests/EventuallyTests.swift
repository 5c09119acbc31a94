import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@Suite struct EventuallyInRealTimeTests {
  @Test func `outside scopes a condition is polled in real time`() async throws {
    let isDone = Lock(false)
    let task = Task {
      try await Task.sleep(for: .milliseconds(5))
      isDone.withLock { $0 = true }
    }
    // Other tests may keep all threads busy for minutes, under Thread Sanitizer.
    let becomesTrue = try await eventually(
      within: .seconds(600), pollingEvery: .milliseconds(1)
    ) { isDone.withLock { $0 } }
    #expect(becomesTrue)
    try await task.value
  }

  @Test func `outside scopes the wait has a timeout`() async throws {
    var line = 0
    let issues = try await issues {
      line = #line + 1
      try await eventually("it", within: .milliseconds(3), pollingEvery: .milliseconds(1)) { false }
    }
    #expect(issues.map(\.line) == [line])
    let message = issues.first?.message ?? ""
    #expect(message.hasPrefix("'it' did not become true within 0.003 seconds of real time."))
    #expect(message.contains("'@Test(.virtualTime)'"))
  }
}
