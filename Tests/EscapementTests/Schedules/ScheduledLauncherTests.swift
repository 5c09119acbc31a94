import EscapementClocks
import EscapementTesting
import TestSupport
import Testing

@testable import Escapement

@Suite(.virtualTime) struct ScheduledLauncherTests {
  let clock = TestClock()
  let runs = Log<WallClock.Instant>()
  private let start = instant(2026, 3, 28)

  private func makeLauncher(
    overlap: OverlappingRuns = .forbid
  ) -> DefaultPeriodicTaskLauncher<TestClock<Duration>> {
    DefaultPeriodicTaskLauncher(
      clock: clock, wallClock: WallClock(startingAt: start, movingWith: clock), overlap: overlap)
  }

  private func tick(_ count: Int = 1) async throws {
    for _ in 0..<count {
      try await clock.waitForSleepers(count: 1)
      await clock.advanceToNextDeadline()
    }
  }

  @Test func `the task runs at the instants of the schedule, across a change of the clocks`()
    async throws
  {
    let launcher = makeLauncher()
    launcher.on(try .daily(at: "02:30", in: SteppedZone.berlin)) { [runs] in runs.append($0) }
    #expect(!launcher.isActive)
    launcher.start()
    try await tick(3)
    await runs.wait(for: 3)
    #expect(
      runs.entries == [
        instant(2026, 3, 28, 1, 30), instant(2026, 3, 29, 1, 30), instant(2026, 3, 30, 0, 30),
      ])
    #expect(clock.now.offset == .seconds(2 * 86_400 + 1_800))
    launcher.stop()
    await clock.advance(by: .seconds(86_400 * 9))
    #expect(runs.count == 3)
  }

  @Test func `a run that takes longer than the schedule allows has one successor`() async throws {
    let launcher = makeLauncher()
    launcher.on(try .every(.seconds(60))) { [runs, clock] run in
      runs.append(run)
      try? await clock.sleep(for: .seconds(150))
    }
    launcher.start()
    try await tick(3)
    await runs.wait(for: 3)
    #expect(runs.entries == [60, 180, 360].map { start.advanced(by: .seconds($0)) })
    launcher.stop()
  }

  @Test func `with overlapping runs each run begins in time`() async throws {
    let launcher = makeLauncher(overlap: .allow)
    launcher.on(try .every(.seconds(60))) { [runs, clock] run in
      runs.append(run)
      try? await clock.sleep(for: .seconds(150))
    }
    launcher.start()
    try await clock.waitForSleepers(count: 1)
    for minute in 1...3 {
      await clock.advance(by: .seconds(60))
      await runs.wait(for: minute)
    }
    #expect(runs.entries == [60, 120, 180].map { start.advanced(by: .seconds($0)) })
    launcher.stop()
  }

  @Test func `a launcher is not active after the last run`() async throws {
    let launcher = makeLauncher()
    launcher.on(try .every(.seconds(60)).ending(at: start.advanced(by: .seconds(60)))) {
      [runs] in runs.append($0)
    }
    launcher.start()
    try await tick()
    await runs.wait(for: 1)
    await clock.advance(by: .seconds(1_000))
    #expect(runs.count == 1)
    #expect(!launcher.isActive)
  }

  @Test func `a schedule takes the place of an interval, and an interval that of a schedule`()
    async throws
  {
    let launcher = makeLauncher()
    let ticks = Log<Void>()
    launcher.every(.seconds(7)) { ticks.append(()) }
    launcher.start()
    launcher.on(try .every(.seconds(60))) { [runs] in runs.append($0) }
    try await tick()
    await runs.wait(for: 1)
    #expect(ticks.count == 0)
    launcher.every(.seconds(7)) { ticks.append(()) }
    try await tick()
    await ticks.wait(for: 1)
    #expect(runs.count == 1)
    #expect(clock.now.offset == .seconds(67))
    launcher.stop()
  }

  @Test func `a task may stop its launcher while it catches up`() async throws {
    let launcher = makeLauncher()
    launcher.on(try .every(.seconds(60)), missed: .catchUp(atMost: 100)) {
      [runs, clock, unowned launcher] run in
      runs.append(run)
      if runs.count == 1 { try? await clock.sleep(for: .seconds(600)) } else { launcher.stop() }
    }
    launcher.start()
    try await tick(2)
    await runs.wait(for: 2)
    await clock.advance(by: .seconds(600))
    #expect(runs.entries == [60, 120].map { start.advanced(by: .seconds($0)) })
  }

  @Test func `a policy with an argument that is not valid is reported`() async throws {
    let issues = try issues {
      let launcher = makeLauncher()
      launcher.on(try .every(.seconds(60)), missed: .catchUp(atMost: 0)) { _ in }
      launcher.on(try .every(.seconds(60)), missed: .skip(laterThan: .seconds(-1))) { _ in }
      launcher.start()
      #expect(!launcher.isActive)
    }
    #expect(issues.count == 2)
    #expect(issues[0].message.hasPrefix("'atMost' is 0, but must be 1 or more."))
    #expect(issues[1].message.hasPrefix("'laterThan' is -1.0 seconds"))
  }
}

@Suite struct WallClockTests {
  @Test(.virtualTime(.init(eventLimit: 10)), .virtualStandardClocks)
  func `in virtual time the clock of the system is virtual, and a sleep of years is one step`()
    async throws
  {
    let clock = WallClock()
    #expect(clock.now == instant(2000, 1, 1))
    try await clock.sleep(until: instant(2004, 2, 29))
    #expect(clock.now == instant(2004, 2, 29))
    try await clock.sleep(until: instant(2001, 1, 1))
    #expect(clock.now == instant(2004, 2, 29))
  }

  @Test(.virtualTime, .virtualStandardClocks)
  func `a launcher runs a job on each working day of a year`() async throws {
    let launcher = DefaultPeriodicTaskLauncher()
    let runs = Log<WallClock.Instant>()
    launcher.on(try .cron("0 3 * * 1-5", in: .utc)) { run in
      #expect(WallClock().now == run)
      runs.append(run)
    }
    launcher.start()
    try await Task.sleep(for: .seconds(366 * 86_400))
    launcher.stop()
    // 2000 began on a Saturday and had a leap day.
    #expect(runs.count == 260)
  }

  @Test(.virtualTime, .virtualStandardClocks)
  func `a launcher that waits follows a clock that is set back by years`() async throws {
    let origin = ContinuousClock.now
    let settings = Log<WallClock.Instant>()
    settings.append(instant(2030, 1, 1))
    let clock = WallClock { settings.entries.last!.advanced(by: origin.duration(to: .now)) }
    let launcher = DefaultPeriodicTaskLauncher(wallClock: clock)
    let runs = Log<WallClock.Instant>()
    launcher.on(try .daily(at: "03:00", in: .utc)) { runs.append($0) }
    launcher.start()
    try await Task.sleep(for: .seconds(26 * 3600))
    settings.append(instant(2026, 1, 1))
    try await Task.sleep(for: .seconds(26 * 3600))
    launcher.stop()
    #expect(
      runs.entries == [instant(2030, 1, 1, 3), instant(2026, 1, 2, 3), instant(2026, 1, 3, 3)])
  }

  @Test func `an instant is written in the form of ISO 8601`() {
    #expect(instant(2026, 3, 29, 1, 2, 3).description == "2026-03-29T01:02:03Z")
    #expect(instant(1, 1, 1).description == "0001-01-01T00:00:00Z")
    let earlier = WallClock.Instant.unixEpoch.advanced(by: .nanoseconds(-1))
    #expect(earlier.description == "1969-12-31T23:59:59Z")
    #expect(WallClock.Instant(offset: .longest).description.hasSuffix("since 1970"))
    #expect(WallClock.Instant(offset: .zero - .longest).description.hasSuffix("since 1970"))
  }

  @Test(.virtualTime) func `a clock that moves with another one shows its instants`() async throws {
    let base = TestClock()
    await base.advance(by: .seconds(5))
    let clock = WallClock(startingAt: instant(2026, 1, 1), movingWith: base)
    #expect(clock.now == instant(2026, 1, 1))
    await base.advance(by: .seconds(60))
    #expect(clock.now == instant(2026, 1, 1, 0, 1))
    let sleep = Task { try await clock.sleep(until: WallClock.Instant(offset: .longest)) }
    try await base.waitForSleepers(count: 1)
    sleep.cancel()
    await #expect(throws: CancellationError.self) { try await sleep.value }
  }

  @Test(.virtualTime) func `a sleep of a cancelled task throws`() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await WallClock().sleep(until: .unixEpoch)
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
