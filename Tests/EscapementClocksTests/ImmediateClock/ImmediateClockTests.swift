import EscapementClocks
import TestSupport
import Testing

@Suite struct ImmediateClockTests {
  private let clock = ImmediateClock()

  @Test func `a sleep moves the clock to its deadline`() async throws {
    for _ in 0..<10 { try await clock.sleep(for: .seconds(1)) }
    #expect(clock.now.offset == .seconds(10))
  }

  @Test func `the clock does not go backwards`() async throws {
    try await clock.sleep(until: .init(offset: .seconds(5)))
    try await clock.sleep(until: .init(offset: .seconds(5) - .nanoseconds(1)))
    #expect(clock.now.offset == .seconds(5))
  }

  @Test func `durations beyond the range saturate`() async throws {
    for _ in 0..<40 { try await clock.sleep(for: .seconds(Int64.max)) }
    #expect(clock.now.offset == .seconds(Int64.max))
  }

  @Test func `a cancelled task does not move the clock`() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await clock.sleep(for: .seconds(1))
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(clock.now.offset == .zero)
  }

  @Test func `other tasks run while a task sleeps`() async throws {
    let log = try await Log().runTwoTasks(clock: clock)
    #expect(log == ["before", "other", "after"])
  }

  @Test func `sleeping beyond the limit fails the test once, at the line that created the clock`()
    async throws
  {
    var line = 0
    let issues = try await issues {
      line = #line + 1
      let clock = ImmediateClock<Duration>(sleepLimit: 3)
      for _ in 0..<3 { try await clock.sleep(for: .seconds(1)) }
      for _ in 0..<2 {
        let error = await #expect(throws: SleepLimitError.self) {
          try await clock.sleep(for: .seconds(1))
        }
        #expect(error?.limit == 3)
      }
      #expect(clock.now.offset == .seconds(3))
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues[0].message.contains("More than 3 sleeps"))
    #expect(issues[0].message.contains("time is now 3.0 seconds"))
  }

  @Test func `a timer that is not stopped ends at the limit`() async {
    var ticks = 0
    let issues = await issues {
      let clock = ImmediateClock<Duration>(sleepLimit: 5)
      for await _ in clock.timer(interval: .seconds(1)) { ticks += 1 }
    }
    #expect(issues.count == 1)
    #expect(ticks == 5)
  }

  @Test func `each use of the shorthand creates a separate clock`() async throws {
    let first: ImmediateClock<Duration> = .immediate
    let second: ImmediateClock<Duration> = .immediate
    try await first.sleep(for: .seconds(1))
    #expect(second.now.offset == .zero)
    #expect(first.id != second.id)
  }
}

private actor Log {
  private var entries: [String] = []

  /// Both tasks run on this actor, so the second task runs only when the first one suspends.
  func runTwoTasks(clock: ImmediateClock<Duration>) async throws -> [String] {
    let other = Task { entries.append("other") }
    entries.append("before")
    try await clock.sleep(for: .seconds(1))
    entries.append("after")
    await other.value
    return entries
  }
}
