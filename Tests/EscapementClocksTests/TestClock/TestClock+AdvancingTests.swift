import EscapementClocks
import TestSupport
import Testing

@Suite struct TestClockAdvancingTests {
  private let clock = TestClock()

  @Test func `time moves when no task sleeps`() async {
    await clock.advance(by: .seconds(2))
    #expect(clock.now.offset == .seconds(2))
    await clock.advance(to: .init(offset: .seconds(3)))
    #expect(clock.now.offset == .seconds(3))
    await clock.advance()
    #expect(clock.now.offset == .seconds(3))
  }

  @Test(arguments: [(1, 5), (5, 1), (3, 3)])
  func `two advances at once add up`(first: Int, second: Int) async throws {
    let log = Log<Duration>()
    let task = Task {
      for _ in 1...20 {
        try await clock.sleep(for: .seconds(1))
        log.append(clock.now.offset)
      }
    }
    try await clock.waitForSleepers(count: 1)
    async let one: Void = clock.advance(by: .seconds(first))
    async let other: Void = clock.advance(by: .seconds(second))
    _ = await (one, other)
    #expect(clock.now.offset == .seconds(first + second))
    task.cancel()
    _ = await task.result
  }

  @Test func `all tasks that are due wake`() async throws {
    let tasks = [1, 2, 2, 3].map { seconds in
      Task { try await clock.sleep(for: .seconds(seconds)) }
    }
    try await clock.waitForSleepers(count: 4)
    await clock.advance(by: .seconds(2))
    for task in tasks.prefix(3) { try await task.value }
    #expect(clock.sleepers.map(\.deadline?.offset) == [.seconds(3)])
    await clock.advance(by: .seconds(1))
    try await tasks[3].value
  }

  @Test(arguments: [Duration.nanoseconds(-1), .seconds(-Int64.max)])
  func `advancing by a negative duration fails the test and does not move time`(duration: Duration)
    async
  {
    var line = 0
    let issues = await issues {
      line = #line + 1
      await clock.advance(by: duration)
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues[0].message.contains("'advance(by:)' got \(duration)"))
    #expect(clock.now.offset == .zero)
  }

  @Test func `advancing to the past fails the test and does not move time`() async {
    await clock.advance(by: .seconds(5))
    var line = 0
    let issues = await issues {
      line = #line + 1
      await clock.advance(to: .init(offset: .seconds(5) - .milliseconds(1)))
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues[0].message.contains("'advance(to:)' got 4.999 seconds"))
    #expect(issues[0].message.contains("the time is already 5.0 seconds"))
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `advancing to the present is allowed`() async {
    await clock.advance(by: .seconds(5))
    await clock.advance(to: clock.now)
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `advancing beyond the range ends at the end of the range`() async throws {
    await clock.advance(by: .seconds(1))
    let task = Task { try await clock.sleep(for: .seconds(Int64.max)) }
    try await clock.waitForSleepers(count: 1)
    #expect(clock.nextDeadline?.offset == .seconds(Int64.max))
    await clock.advance(by: .seconds(Int64.max))
    await clock.advance(by: .seconds(Int64.max))
    try await task.value
    #expect(clock.now.offset == .seconds(Int64.max))
  }

  @Test func `advancing to the next deadline wakes all its tasks and returns the distance`()
    async throws
  {
    let tasks = [2, 2, 5].map { seconds in
      Task { try await clock.sleep(for: .seconds(seconds)) }
    }
    try await clock.waitForSleepers(count: 3)
    #expect(await clock.advanceToNextDeadline() == .seconds(2))
    try await tasks[0].value
    try await tasks[1].value
    #expect(await clock.advanceToNextDeadline() == .seconds(3))
    try await tasks[2].value
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `without a sleeping task there is no next deadline`() async {
    #expect(await clock.advanceToNextDeadline() == nil)
    #expect(clock.now.offset == .zero)
  }
}
