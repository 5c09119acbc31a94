import Escapement
import EscapementClocks
import EscapementDoubles
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@MainActor @Suite(.virtualTime) struct RateLimiterTests {
  let launcher = FakePeriodicTaskLauncher()
  let limiter: RateLimiter

  init() {
    limiter = RateLimiter(rate: .seconds(1), taskLauncher: launcher)
  }

  @Test func `a new limiter sets its rate as the interval and does not start the launcher`() {
    #expect(launcher.intervals == [.seconds(1)])
    #expect(!launcher.isActive)
  }

  @Test func `the first action runs before execute returns and starts the launcher`() {
    var ran = false
    limiter.execute { ran = true }
    #expect(ran)
    #expect(launcher.isActive)
    #expect(launcher.startCount == 1)
  }

  @Test func `only the newest action is kept until the tick`() async {
    var ran: [Int] = []
    for action in 1...4 { limiter.execute { ran.append(action) } }
    #expect(ran == [1])
    await launcher.fire()
    #expect(ran == [1, 4])
    #expect(launcher.isActive)
  }

  @Test func `after a tick without a kept action the limiter is quiescent`() async {
    var ran: [Int] = []
    limiter.execute { ran.append(1) }
    await launcher.fire()
    #expect(!launcher.isActive)
    limiter.execute { ran.append(2) }
    #expect(ran == [1, 2])
    #expect(launcher.startCount == 2)
  }

  @Test func `a kept action begins a new interval when it runs`() async {
    var ran: [Int] = []
    limiter.execute { ran.append(1) }
    limiter.execute { ran.append(2) }
    await launcher.fire()
    limiter.execute { ran.append(3) }
    #expect(ran == [1, 2])
    await launcher.fire()
    #expect(ran == [1, 2, 3])
    await launcher.fire()
    #expect(!launcher.isActive)
    #expect(launcher.stopCount == 1)
  }

  @Test func `an action may execute another action`() async {
    var ran: [Int] = []
    limiter.execute {
      ran.append(1)
      limiter.execute { ran.append(2) }
    }
    #expect(ran == [1])
    await launcher.fire()
    #expect(ran == [1, 2])
  }

  @Test func `cancelling drops the kept action and does not end the interval`() async {
    var ran: [Int] = []
    limiter.execute { ran.append(1) }
    limiter.execute { ran.append(2) }
    limiter.cancel()
    #expect(launcher.isActive)
    limiter.execute { ran.append(3) }
    #expect(ran == [1])
    await launcher.fire()
    #expect(ran == [1, 3])
  }

  @Test func `flushing runs the kept action at once and begins a new interval`() async {
    var ran: [Int] = []
    limiter.execute { ran.append(1) }
    limiter.execute { ran.append(2) }
    limiter.flush()
    #expect(ran == [1, 2])
    #expect(launcher.stopCount == 1)
    #expect(launcher.startCount == 2)
    #expect(launcher.isActive)
  }

  @Test func `flushing without a kept action does nothing`() {
    limiter.flush()
    limiter.execute {}
    limiter.flush()
    #expect(launcher.startCount == 1)
    #expect(launcher.stopCount == 0)
  }

  @Test func `a limiter that is released stops its launcher`() {
    let launcher = FakePeriodicTaskLauncher()
    var limiter: RateLimiter? = RateLimiter(rate: .seconds(1), taskLauncher: launcher)
    limiter?.execute {}
    #expect(launcher.isActive)
    limiter = nil
    #expect(!launcher.isActive)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `a rate that is not positive is reported, and every action runs at once`(rate: Duration) {
    var ran = 0
    var limiter: RateLimiter?
    let issues = issues { limiter = RateLimiter(rate: rate, taskLauncher: launcher) }
    let refusal = "'rate' is \(rate), but must be a positive interval"
    #expect(issues.map { $0.message.contains(refusal) } == [true])
    limiter?.execute { ran += 1 }
    limiter?.execute { ran += 1 }
    #expect(ran == 2)
  }
}

/// The actors on which actions run.
@Suite(.virtualTime) struct RateLimiterIsolationTests {
  let launcher = FakePeriodicTaskLauncher()
  let ran = Log<Int>()

  private actor Editor {
    let limiter: RateLimiter
    var saves = 0

    init(limiter: RateLimiter) { self.limiter = limiter }

    func edit() -> Int {
      limiter.execute {
        self.assertIsolated()
        self.saves += 1
      }
      return saves
    }
  }

  @Test func `on an actor the first action runs at once and a kept action runs on the actor`() async
  {
    let limiter = RateLimiter(rate: .seconds(1), taskLauncher: launcher)
    let editor = Editor(limiter: limiter)
    #expect(await editor.edit() == 1)
    #expect(await editor.edit() == 1)
    await launcher.fire()
    #expect(await editor.saves == 2)
  }

  @Test func `an action without an actor runs at once, also from synchronous code`() async {
    let limiter = RateLimiter(rate: .seconds(1), taskLauncher: launcher)
    func synchronous() {
      limiter.execute { [ran] in ran.append(1) }
      limiter.execute { [ran] in ran.append(2) }
    }
    synchronous()
    #expect(ran.entries == [1])
    await launcher.fire()
    #expect(ran.entries == [1, 2])
  }

  @Test func `every action of another actor runs there, also the first one`() async throws {
    let limiter = RateLimiter(rate: .seconds(1), taskLauncher: launcher)
    for action in 1...2 {
      limiter.execute { @MainActor [ran] in
        MainActor.assertIsolated()
        ran.append(action)
      }
    }
    await ran.wait(for: 1)
    limiter.flush()
    await ran.wait(for: 2)
    #expect(ran.entries == [1, 2])
  }

  @MainActor @Test func `a due action does not run after cancel on its own actor`()
    async
  {
    let limiter = RateLimiter(rate: .seconds(1), taskLauncher: launcher)
    limiter.execute { [ran] in ran.append(1) }
    limiter.execute { [ran] in ran.append(2) }
    // The tick comes while this actor is busy, and waits for the actor.
    let tick = Task { @concurrent [launcher] in await launcher.fire() }
    limiter.cancel()
    await tick.value
    #expect(ran.entries == [1])
  }
}

/// With the default launcher and a test clock.
@MainActor @Suite(.virtualTime) struct RateLimiterTimeTests {
  @Test func `actions run once per second, among them the first and the last`() async throws {
    let clock = TestClock()
    let limiter = RateLimiter(rate: .seconds(1), clock: clock)
    let runs = Log<String>()
    for keystroke in 1...25 {
      limiter.execute { runs.append("\(keystroke) at \(clock.now)") }
      try await clock.waitForSleepers(count: 1)
      await clock.advance(by: .milliseconds(100))
    }
    await clock.advance(by: .seconds(10))
    await runs.wait(for: 4)
    #expect(
      runs.entries == [
        "1 at 0.0 seconds", "10 at 1.0 seconds", "20 at 2.0 seconds", "25 at 3.0 seconds",
      ])
    try await clock.checkSuspension()
  }
}

@Suite struct RateLimiterOrderTests {
  @Test func `actions run in the order of the calls, also from outside their actor`() async throws {
    let report = try await withExploration(200) { time in
      let log = Log<String>()
      let limiter = RateLimiter(rate: .seconds(1), clock: time)
      limiter.execute { @MainActor in log.append("A") }
      limiter.execute { @MainActor in log.append("B") }
      limiter.flush()
      await time.settle()
      #expect(log.entries == ["A", "B"])
    }
    #expect(report.failure == nil, "\(String(describing: report.failure))")
  }
}

/// With an actor that is busy when an action is due, on real threads.
@Suite struct RateLimiterBusyActorTests {
  let clock = TestClock()
  let runs = Log<Duration>()

  private actor Screen {
    let executor: HeldExecutor
    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(executor: HeldExecutor) { self.executor = executor }

    func update(_ limiter: RateLimiter, _ runs: Log<Duration>, _ clock: TestClock<Duration>) {
      limiter.execute {
        self.assertIsolated()
        runs.append(clock.now.offset)
      }
    }

    /// Returns when what has been enqueued before has run.
    func comeToRest() { assertIsolated() }
  }

  @Test func `a limiter that is released drops an action that waits for a busy actor`()
    async throws
  {
    var limiter: RateLimiter? = RateLimiter(rate: .milliseconds(200), clock: clock)
    let screen = Screen(executor: HeldExecutor())
    for _ in 1...2 { try await screen.update(#require(limiter), runs, clock) }
    try await clock.waitForSleepers(count: 1)

    screen.executor.hold()
    await clock.advance(by: .milliseconds(200))
    await screen.executor.held.wait(for: 1)
    weak let released = limiter
    limiter = nil
    #expect(released == nil)
    screen.executor.release()
    await screen.comeToRest()
    #expect(runs.entries == [.zero])
  }

  @Test(arguments: [MissedTicks.skip, .burst, .delay])
  func `the interval counts from a run that a busy actor has delayed`(missed: MissedTicks)
    async throws
  {
    let launcher = DefaultPeriodicTaskLauncher(clock: clock, missed: missed)
    let limiter = RateLimiter(rate: .milliseconds(200), taskLauncher: launcher)
    let screen = Screen(executor: HeldExecutor())
    for _ in 1...2 { await screen.update(limiter, runs, clock) }
    try await clock.waitForSleepers(count: 1)

    screen.executor.hold()
    await clock.advance(by: .milliseconds(200))
    await screen.executor.held.wait(for: 1)
    await clock.advance(by: .milliseconds(188))
    screen.executor.release()
    await runs.wait(for: 2)

    await screen.update(limiter, runs, clock)
    try await clock.waitForSleepers(count: 1)
    await clock.advanceToNextDeadline()
    await runs.wait(for: 3)
    #expect(runs.entries == [0, 388, 588].map { .milliseconds($0) })
  }

  @Test func `after a flush the interval counts from the run that a busy actor has delayed`()
    async throws
  {
    let limiter = RateLimiter(rate: .milliseconds(200), clock: clock)
    let screen = Screen(executor: HeldExecutor())
    for _ in 1...2 { await screen.update(limiter, runs, clock) }
    try await clock.waitForSleepers(count: 1)

    screen.executor.hold()
    limiter.flush()
    await screen.executor.held.wait(for: 1)
    await clock.advance(by: .milliseconds(188))
    screen.executor.release()
    await runs.wait(for: 2)

    await screen.update(limiter, runs, clock)
    try await clock.waitForSleepers(count: 1)
    await clock.advanceToNextDeadline()
    await runs.wait(for: 3)
    #expect(runs.entries == [0, 188, 388].map { .milliseconds($0) })
  }
}

/// In virtual time, without an injected clock.
@MainActor @Suite(.virtualTime) struct RateLimiterUninjectedTests {
  @Test(.virtualStandardClocks)
  func `typing searches at once, then twice a second, and after the last character`()
    async throws
  {
    let start = ContinuousClock.now
    var searches: [String] = []
    let limiter = RateLimiter(rate: .milliseconds(500))
    for character in 1...12 {
      limiter.execute { searches.append("\(character) at \(start.duration(to: .now))") }
      try await Task.sleep(for: .milliseconds(100))
    }
    try await Task.sleep(for: .seconds(10))
    #expect(
      searches == [
        "1 at 0.0 seconds", "5 at 0.5 seconds", "10 at 1.0 seconds", "12 at 1.5 seconds",
      ])
  }

  @Test(.virtualStandardClocks)
  func `of random actions at most one per interval runs, and the last one runs`() async throws {
    var generator = SplitMix64(seed: 1)
    var runs: [(action: Int, time: ContinuousClock.Instant)] = []
    let limiter = RateLimiter(rate: .seconds(1))
    for action in 0..<1000 {
      limiter.execute { runs.append((action, .now)) }
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...1500, using: &generator)))
    }
    try await Task.sleep(for: .seconds(2))
    for (run, next) in zip(runs, runs.dropFirst()) {
      #expect(run.time.duration(to: next.time) >= .seconds(1))
      #expect(run.action < next.action)
    }
    #expect(runs.last?.action == 999)
  }
}
