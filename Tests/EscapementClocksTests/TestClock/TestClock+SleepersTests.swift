import EscapementClocks
import TestSupport
import Testing

@Suite struct TestClockSleepersTests {
  private let clock = TestClock()

  @Test func `sleepers are listed in the order in which they will wake, with their names`()
    async throws
  {
    var tasks: [Task<Void, any Error>] = []
    for (name, seconds) in [("late", 2), ("first", 1), ("second", 1), (nil, 1)] {
      tasks.append(Task(name: name) { try await clock.sleep(for: .seconds(seconds)) })
      try await clock.waitForSleepers(count: tasks.count)
    }
    #expect(clock.sleepers.map(\.taskName) == ["first", "second", nil, "late"])
    #expect(clock.nextDeadline?.offset == .seconds(1))
    #expect("\(clock.sleepers[0])" == "task “first”, asleep since 0.0 seconds until 1.0 seconds")
    #expect("\(clock.sleepers[2])" == "a task, asleep since 0.0 seconds until 1.0 seconds")
    for task in tasks { task.cancel() }
    for task in tasks { _ = await task.result }
    #expect(clock.sleepers.isEmpty)
    #expect(clock.nextDeadline == nil)
  }

  @Test func `waiting for a number of sleepers that is reached returns at once`() async throws {
    try await clock.waitForSleepers(count: 0)
    let task = Task { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(count: 1)
    try await clock.waitForSleepers(count: 1)
    task.cancel()
  }

  @Test func `each watcher waits for its own number`() async throws {
    let watchers = [1, 2, 2, 3].map { count in
      Task {
        try await clock.waitForSleepers(count: count)
        return clock.sleepers.count
      }
    }
    let tasks = (1...3).map { seconds in
      Task { try await clock.sleep(for: .seconds(seconds)) }
    }
    for (watcher, count) in zip(watchers, [1, 2, 2, 3]) {
      #expect(try await watcher.value >= count)
    }
    for task in tasks { task.cancel() }
  }

  @Test func `waiting for sleepers ends when the task is cancelled`() async {
    let watcher = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.waitForSleepers(count: 1)
    }
    await #expect(throws: CancellationError.self) { try await watcher.value }
  }

  @Test func `waiting for a negative number of sleepers fails the test`() async throws {
    var line = 0
    let issues = try await issues {
      line = #line + 1
      try await clock.waitForSleepers(count: -1)
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues[0].message.contains("-1"))
  }

  @Test func `checkSuspension does not throw when no task sleeps`() async throws {
    try await clock.checkSuspension()
  }

  @Test func `checkSuspension throws an error that lists the sleeping tasks`() async throws {
    let task = Task(name: "refresh") { try await clock.sleep(for: .seconds(1)) }
    try await clock.waitForSleepers(count: 1)
    let error = await #expect(throws: SuspensionError.self) { try await clock.checkSuspension() }
    #expect(
      try #require(error).description.contains(
        "task “refresh”, asleep since 0.0 seconds until 1.0 seconds"))
    task.cancel()
  }
}
