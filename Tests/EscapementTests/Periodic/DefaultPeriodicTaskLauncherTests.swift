import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@Suite(.virtualTime) struct DefaultPeriodicTaskLauncherTests {
  let clock = TestClock()
  let runs = Log<Duration>()

  /// Creates a launcher that records the time of each run, every 10 seconds.
  private func makeLauncher(
    missed: MissedTicks = .skip,
    overlap: OverlappingRuns = .forbid,
    taking duration: Duration = .zero
  ) -> DefaultPeriodicTaskLauncher<TestClock<Duration>> {
    let launcher = DefaultPeriodicTaskLauncher(clock: clock, missed: missed, overlap: overlap)
    launcher.every(.seconds(10)) { [clock, runs] in
      runs.append(clock.now.offset)
      try? await clock.sleep(for: duration)
    }
    return launcher
  }

  private func seconds(_ values: Int...) -> [Duration] { values.map { .seconds($0) } }

  /// Advances to the next deadline when the launcher has armed it.
  private func tick(_ count: Int = 1) async throws {
    for _ in 0..<count {
      try await clock.waitForSleepers(count: 1)
      await clock.advanceToNextDeadline()
    }
  }

  @Test func `the first run comes one interval after the start`() async throws {
    let launcher = makeLauncher()
    launcher.start()
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(10) - .nanoseconds(1))
    #expect(runs.entries == [])
    await clock.advance(by: .nanoseconds(1))
    await runs.wait(for: 1)
    #expect(runs.entries == seconds(10))
    launcher.stop()
  }

  @Test func `the task runs repeatedly until the launcher is stopped`() async throws {
    let launcher = makeLauncher()
    launcher.start()
    try await tick(3)
    await runs.wait(for: 3)
    #expect(launcher.isActive)
    launcher.stop()
    #expect(!launcher.isActive)
    await clock.advance(by: .seconds(100))
    #expect(runs.entries == seconds(10, 20, 30))
  }

  @Test func `starting without a task does nothing`() async throws {
    let launcher = DefaultPeriodicTaskLauncher(clock: clock)
    launcher.start()
    #expect(!launcher.isActive)
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `starting twice has the effect of starting once`() async throws {
    let launcher = makeLauncher()
    launcher.start()
    launcher.start()
    try await tick(2)
    await runs.wait(for: 2)
    #expect(runs.entries == seconds(10, 20))
    launcher.stop()
  }

  @Test func `stopping twice has the effect of stopping once`() async throws {
    let launcher = makeLauncher()
    launcher.start()
    launcher.stop()
    launcher.stop()
    #expect(!launcher.isActive)
    await clock.advance(by: .seconds(10))
    #expect(runs.entries == [])
  }

  @Test func `after a restart the first run comes one interval later`() async throws {
    let launcher = makeLauncher()
    launcher.start()
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(4))
    launcher.stop()
    launcher.start()
    try await tick()
    await runs.wait(for: 1)
    #expect(runs.entries == seconds(14))
    launcher.stop()
  }

  @Test func `a task may stop its own launcher`() async throws {
    let launcher = DefaultPeriodicTaskLauncher(clock: clock)
    launcher.every(.seconds(10)) { [runs, clock, unowned launcher] in
      launcher.stop()
      runs.append(clock.now.offset)
    }
    launcher.start()
    try await tick()
    await runs.wait(for: 1)
    await clock.advance(by: .seconds(100))
    #expect(runs.entries == seconds(10))
    #expect(!launcher.isActive)
  }

  @Test func `a task may restart its own launcher`() async throws {
    let launcher = DefaultPeriodicTaskLauncher(clock: clock)
    launcher.every(.seconds(10)) { [runs, clock, unowned launcher] in
      launcher.stop()
      launcher.start()
      runs.append(clock.now.offset)
    }
    launcher.start()
    try await tick(2)
    await runs.wait(for: 2)
    #expect(runs.entries == seconds(10, 20))
    launcher.stop()
  }

  @Test func `an active launcher goes on with a new task and interval`() async throws {
    let launcher = makeLauncher()
    launcher.start()
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(4))
    launcher.every(.seconds(3)) { [runs, clock] in runs.append(clock.now.offset) }
    try await tick(2)
    await runs.wait(for: 2)
    #expect(runs.entries == seconds(7, 10))
    launcher.stop()
  }

  @Test func `after a restart of the interval the next run comes one interval later`() async throws
  {
    let launcher = makeLauncher()
    launcher.restartInterval()
    #expect(!launcher.isActive)
    launcher.start()
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(4))
    launcher.restartInterval()
    try await tick()
    try await tick(2)
    await runs.wait(for: 2)
    // The first sleep, until 10 seconds, ended without a run.
    #expect(runs.entries == seconds(14, 24))
    launcher.stop()
  }

  @Test func `stopping while another thread sets a task is not undone`() async throws {
    let hooked = HookedClock(clock)
    let launcher = DefaultPeriodicTaskLauncher(clock: hooked)
    launcher.every(.seconds(10)) {}
    launcher.start()
    try await clock.waitForSleepers(count: 1)
    // The launcher reads its clock while it sets the task.
    hooked.hookNow { launcher.stop() }
    launcher.every(.seconds(3)) { [runs, clock] in runs.append(clock.now.offset) }
    #expect(!launcher.isActive)
    await clock.advance(by: .seconds(100))
    #expect(runs.entries == [])
  }

  @Test(.virtualTime(order: .exploring(200)), .virtualStandardClocks)
  func `no run begins after the launcher was stopped on the actor of its task`() async throws {
    let launcher = DefaultPeriodicTaskLauncher()
    let page = await Page(launcher)
    let closing = Task {
      try await Task.sleep(for: .seconds(2))
      await page.close()
    }
    try await closing.value
    try await Task.sleep(for: .seconds(5))
    #expect(await page.refreshesAfterClosing == 0)
  }

  @Test func `a launcher that is released stops`() async throws {
    var launcher: DefaultPeriodicTaskLauncher? = makeLauncher()
    launcher?.start()
    try await clock.waitForSleepers(count: 1)
    launcher = nil
    await clock.advance(by: .seconds(100))
    #expect(runs.entries == [])
    try await clock.checkSuspension()
  }

  /// The first run takes 25 seconds, from 10 to 35, so that the ticks at 20 and 30 are missed.
  @Test(arguments: [
    (MissedTicks.skip, [10, 35, 40, 50]),
    (MissedTicks.burst, [10, 35, 35, 40]),
    (MissedTicks.delay, [10, 35, 45, 55]),
  ])
  func `runs that take longer than the interval do not overlap`(
    missed: MissedTicks, expected: [Int]
  ) async throws {
    let launcher = DefaultPeriodicTaskLauncher(clock: clock, missed: missed)
    launcher.every(.seconds(10)) { [clock, runs] in
      runs.append(clock.now.offset)
      if runs.count == 1 { try? await clock.sleep(for: .seconds(25)) }
    }
    launcher.start()
    while runs.count < 4 { try await tick() }
    launcher.stop()
    #expect(runs.entries == expected.map { .seconds($0) })
  }

  @Test func `20,000 ticks do not drift`() async throws {
    let clock = JumpingClock()
    // The interval is not a whole number of microseconds and not a binary fraction of a second.
    let interval = Duration.nanoseconds(33_333_333)
    let ticks = Log<Void>()
    let launcher = DefaultPeriodicTaskLauncher(clock: clock)
    let count = Lock(0)
    launcher.every(interval) { [unowned launcher] in
      let isLast = count.withLock { count in
        count += 1
        return count == 20_000
      }
      guard isLast else { return }
      launcher.stop()
      ticks.append(())
    }
    launcher.start()
    await ticks.wait(for: 1)
    #expect(clock.now.offset == interval * 20_000)
  }

  @Test func `runs overlap when overlapping is allowed`() async throws {
    let launcher = makeLauncher(overlap: .allow, taking: .seconds(25))
    launcher.start()
    for sleepers in 1...3 {
      try await clock.waitForSleepers(count: sleepers)
      await clock.advance(by: .seconds(10))
      await runs.wait(for: sleepers)
    }
    #expect(runs.entries == seconds(10, 20, 30))
    launcher.stop()
  }

  @Test func `at most so many runs overlap, and a tick waits for the end of one`() async throws {
    let launcher = makeLauncher(overlap: .atMost(2), taking: .seconds(25))
    launcher.start()
    while runs.count < 6 {
      await clock.advanceToNextDeadline()
      await VirtualTime.current?.settle()
    }
    #expect(runs.entries == seconds(10, 20, 35, 45, 60, 70))
    launcher.stop()
  }

  @Test func `that less than one run is allowed is reported, and runs do not overlap`() async throws
  {
    let reported = issues { _ = makeLauncher(overlap: .atMost(0)) }
    #expect(reported.map(\.message).contains { $0.contains("'atMost' is 0, but must be 1") })
  }

  @Test func `stopping cancels the current run`() async throws {
    let wasCancelled = Log<Bool>()
    let launcher = DefaultPeriodicTaskLauncher(clock: clock)
    launcher.every(.seconds(10)) { [clock] in
      do {
        try await clock.sleep(for: .seconds(1000))
      } catch {
        wasCancelled.append(error is CancellationError)
      }
    }
    launcher.start()
    try await tick()
    try await clock.waitForSleepers(count: 1)
    launcher.stop()
    await wasCancelled.wait(for: 1)
    #expect(wasCancelled.entries == [true])
  }

  @Test func `after a restart the first run waits for the end of the previous run`() async throws {
    let gate = Log<Void>()
    let launcher = DefaultPeriodicTaskLauncher(clock: clock)
    launcher.every(.seconds(10)) { [clock, runs] in
      runs.append(clock.now.offset)
      // The run ignores its cancellation.
      await Task.detached { await gate.wait(for: 1) }.value
    }
    launcher.start()
    try await tick()
    await runs.wait(for: 1)
    launcher.stop()
    launcher.start()
    await clock.advance(by: .seconds(25))
    #expect(runs.entries == seconds(10))
    gate.append(())
    await runs.wait(for: 2)
    // The run was due at 20 seconds. It could begin only 15 seconds later.
    #expect(runs.entries == seconds(10, 35))
    launcher.stop()
  }

  @Test func `a synchronous task runs on the actor on which it was written`() async throws {
    let model = await Model(clock: clock)
    try await model.run()
  }

  @MainActor private final class Model {
    let launcher: any PeriodicTaskLauncher
    let clock: TestClock<Duration>
    var count = 0
    let runs = Log<Int>()

    init(clock: TestClock<Duration>) {
      self.clock = clock
      launcher = DefaultPeriodicTaskLauncher(clock: clock)
    }

    func run() async throws {
      launcher.every(.seconds(1)) { [weak self] in
        MainActor.assertIsolated()
        self?.count += 1
        self?.runs.append(1)
      }
      launcher.start()
      try await clock.waitForSleepers(count: 1)
      await clock.advance(by: .seconds(1))
      await runs.wait(for: 1)
      #expect(count == 1)
    }
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `an interval that is not positive is reported and changes nothing`(interval: Duration) {
    let launcher = DefaultPeriodicTaskLauncher(clock: clock)
    let issues = issues { launcher.every(interval) {} }
    let refusal = "'interval' is \(interval), but must be positive"
    #expect(issues.map { $0.message.contains(refusal) } == [true])
    launcher.start()
    #expect(!launcher.isActive)
  }

  @Test func `with an interval at the end of the range no tick comes`() async throws {
    let launcher = DefaultPeriodicTaskLauncher(clock: clock)
    launcher.every(.seconds(Int64.max)) { [runs] in runs.append(.zero) }
    launcher.start()
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(20_000_000))
    #expect(runs.entries == [])
    launcher.stop()
  }
}

/// In virtual time, without an injected clock.
@Suite(.virtualTime) struct DefaultPeriodicTaskLauncherUninjectedTests {
  let runs = Log<Duration>()
  let start = ContinuousClock.now

  private func record() { runs.append(start.duration(to: .now)) }

  @Test(.virtualStandardClocks) func `the task runs every ten seconds`() async throws {
    let launcher = DefaultPeriodicTaskLauncher()
    launcher.every(.seconds(10)) { record() }
    launcher.start()
    try await Task.sleep(for: .seconds(35))
    launcher.stop()
    try await Task.sleep(for: .seconds(100))
    #expect(runs.entries == [.seconds(10), .seconds(20), .seconds(30)])
  }

  @Test(.virtualStandardClocks) func `in a year the ticks do not drift by a nanosecond`()
    async throws
  {
    let launcher = DefaultPeriodicTaskLauncher()
    launcher.every(.seconds(3600)) { record() }
    launcher.start()
    try await Task.sleep(for: .seconds(365 * 86_400 + 1))
    launcher.stop()
    #expect(runs.entries == (1...(365 * 24)).map { .seconds($0 * 3600) })
  }

  @Test(.virtualStandardClocks, .plainOrder)
  func `a thousand launchers tick in the order in which they were started`() async throws {
    let order = Log<Int>()
    let launchers = (0..<1000).map { index in
      let launcher = DefaultPeriodicTaskLauncher()
      launcher.every(.seconds(10)) { order.append(index) }
      launcher.start()
      return launcher
    }
    try await Task.sleep(for: .seconds(21))
    #expect(order.entries == Array(0..<1000) + Array(0..<1000))
    for launcher in launchers { launcher.stop() }
  }
}

@MainActor private final class Page {
  private let launcher: DefaultPeriodicTaskLauncher<ContinuousClock>
  private var isClosed = false
  private(set) var refreshesAfterClosing = 0

  init(_ launcher: DefaultPeriodicTaskLauncher<ContinuousClock>) {
    self.launcher = launcher
    launcher.every(.seconds(1)) { if self.isClosed { self.refreshesAfterClosing += 1 } }
    launcher.start()
  }

  func close() {
    launcher.stop()
    isClosed = true
  }
}
