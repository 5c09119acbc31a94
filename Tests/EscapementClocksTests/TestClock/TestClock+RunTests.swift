import EscapementClocks
import TestSupport
import Testing

@Suite struct TestClockRunTests {
  private let clock = TestClock()

  @Test func `run returns at once when no task sleeps`() async {
    await clock.run()
    #expect(clock.now.offset == .zero)
  }

  @Test func `run advances to the last deadline`() async throws {
    let tasks = [1, 3, 2].map { seconds in
      Task { try await clock.sleep(for: .seconds(seconds)) }
    }
    try await clock.waitForSleepers(count: 3)
    await clock.run(timeout: .seconds(600))
    for task in tasks { try await task.value }
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func `after its timeout run fails the test and ends the remaining sleeps`() async throws {
    let task = Task(name: "poll") { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(count: 1)
    var line = 0
    let issues = await issues {
      line = #line + 1
      await clock.run(timeout: .zero)
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues[0].message.contains("still sleep after 0.0 seconds: 1"))
    #expect(issues[0].message.contains("task “poll”, asleep since 0.0 seconds until 1.0 seconds"))
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.offset == .zero)
  }

  @Test func `run does not fail after its timeout when no task sleeps`() async {
    await clock.run(timeout: .zero)
    #expect(clock.sleepers.isEmpty)
  }
}
