import EscapementClocks
import TestSupport
import Testing

@Suite struct TestClockRunTests {
  private let clock = TestClock()

  @Test func `ends when nobody sleeps`() async {
    await clock.run()
    #expect(clock.now.offset == .zero)
  }

  @Test func `goes to the last deadline`() async throws {
    let tasks = [1, 3, 2].map { seconds in
      Task { try await clock.sleep(for: .seconds(seconds)) }
    }
    try await clock.waitForSleepers(count: 3)
    await clock.run(timeout: .seconds(600))
    for task in tasks { try await task.value }
    #expect(clock.now.offset == .seconds(3))
  }

  @Test func `fails the test when the time is up, and ends the sleeps that are left`() async throws
  {
    let task = Task(name: "poll") { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(count: 1)
    var line = 0
    let issues = await issues {
      line = #line + 1
      await clock.run(timeout: .zero)
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues[0].message.contains("1 still suspend after 0.0 seconds"))
    #expect(issues[0].message.contains("'poll' until 1.0 seconds"))
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.offset == .zero)
  }

  @Test func `does not fail when the time is up and nobody sleeps`() async {
    await clock.run(timeout: .zero)
    #expect(clock.sleepers.isEmpty)
  }
}
