import EscapementClocks
import TestSupport
import Testing

@Suite struct TimerSequenceTests {
  private let clock = TestClock()

  @Test func `a timer ticks at each multiple of its interval`() async throws {
    let timer = clock.timer(interval: .seconds(2))
    let task = Task { await timer.prefix(3).reduce(into: []) { $0.append($1.offset) } }
    for _ in 0..<3 {
      try await clock.waitForSleepers(count: 1)
      #expect(await clock.advanceToNextDeadline() == .seconds(2))
    }
    #expect(await task.value == [.seconds(2), .seconds(4), .seconds(6)])
  }

  @Test func `a timer starts when its first tick is asked for`() async throws {
    let timer = clock.timer(interval: .seconds(2))
    await clock.advance(by: .seconds(5))
    let task = Task { await timer.first { _ in true } }
    try await clock.waitForSleepers(count: 1)
    #expect(clock.nextDeadline?.offset == .seconds(7))
    await clock.advance(by: .seconds(2))
    #expect(await task.value?.offset == .seconds(7))
  }

  @Test func `a late tick comes at once`() async throws {
    var iterator = ImmediateTimer(interval: .seconds(1)).makeIterator()
    let clock = iterator.clock
    #expect(await iterator.next() == .seconds(1))
    try await clock.sleep(for: .seconds(2.5))
    #expect(await iterator.next() == .seconds(3.5))
    #expect(await iterator.next() == .seconds(4))
  }

  @Test func `a timer ends when its task is cancelled`() async throws {
    let timer = clock.timer(interval: .seconds(1))
    let task = Task {
      var iterator = timer.makeAsyncIterator()
      let ticks = [await iterator.next(), await iterator.next(), await iterator.next()]
      return ticks.map { $0?.offset }
    }
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(1))
    try await clock.waitForSleepers(count: 1)
    task.cancel()
    #expect(await task.value == [.seconds(1), nil, nil])
    #expect(clock.sleepers.isEmpty)
  }

  @Test(arguments: [Duration.zero, .nanoseconds(-1)])
  func `an interval that is not positive fails the test, and the timer ends at once`(
    interval: Duration
  ) async {
    var line = 0
    let issues = await issues {
      line = #line + 1
      let timer = clock.timer(interval: interval)
      for await _ in timer { Issue.record("A timer with an invalid interval has ticked.") }
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues[0].message.contains("got \(interval)"))
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `the shortest interval is accepted`() async throws {
    let interval = Duration(secondsComponent: 0, attosecondsComponent: 1)
    let timer = clock.timer(interval: interval)
    let task = Task { await timer.first { _ in true } }
    try await clock.waitForSleepers(count: 1)
    #expect(await clock.advanceToNextDeadline() == interval)
    #expect(await task.value?.offset == interval)
  }
}

/// A timer on an immediate clock.
///
/// The test can move the clock, too.
private struct ImmediateTimer {
  let clock = ImmediateClock()
  let interval: Duration

  init(interval: Duration) { self.interval = interval }

  func makeIterator() -> Iterator {
    Iterator(clock: clock, base: clock.timer(interval: interval).makeAsyncIterator())
  }

  struct Iterator {
    let clock: ImmediateClock<Duration>
    var base: TimerSequence<AnyClock<Duration>>.Iterator

    mutating func next() async -> Duration? { await base.next()?.offset }
  }
}
