import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing

@MainActor @Suite(.virtualTime) struct DebouncerTests {
  let clock = TestClock()
  let runs = Log<String>()

  private func execute(_ name: String, on debouncer: Debouncer) {
    debouncer.execute { [runs, clock] in
      MainActor.assertIsolated()
      runs.append("\(name) at \(clock.now)")
    }
  }

  @Test func `an action runs when no other has come for the delay`() async throws {
    let debouncer = Debouncer(delay: .seconds(1), clock: clock)
    execute("first", on: debouncer)
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .milliseconds(600))
    execute("second", on: debouncer)
    await clock.advance(by: .milliseconds(999))
    #expect(runs.entries == [])
    await clock.advance(by: .milliseconds(1))
    await runs.wait(for: 1)
    #expect(runs.entries == ["second at 1.6 seconds"])
  }

  @Test func `a leading action has run before execute returns`() {
    let debouncer = Debouncer(delay: .seconds(1), edges: .leading, clock: clock)
    execute("first", on: debouncer)
    execute("second", on: debouncer)
    #expect(runs.entries == ["first at 0.0 seconds"])
  }

  @Test func `flushing runs the kept action at once and ends the sleep`() async throws {
    let debouncer = Debouncer(delay: .seconds(1), clock: clock)
    execute("first", on: debouncer)
    try await clock.waitForSleepers(count: 1)
    debouncer.flush()
    #expect(runs.entries == ["first at 0.0 seconds"])
    try await clock.checkSuspension()
    debouncer.flush()
    #expect(runs.count == 1)
  }

  @Test func `cancelling drops the kept action and ends the sleep`() async throws {
    let debouncer = Debouncer(delay: .seconds(1), clock: clock)
    execute("first", on: debouncer)
    try await clock.waitForSleepers(count: 1)
    debouncer.cancel()
    try await clock.checkSuspension()
    await clock.advance(by: .seconds(10))
    #expect(runs.entries == [])
  }

  @Test func `a debouncer that is released drops its kept action`() async throws {
    var debouncer: Debouncer? = Debouncer(delay: .seconds(1), clock: clock)
    execute("first", on: debouncer!)
    try await clock.waitForSleepers(count: 1)
    debouncer = nil
    try await clock.checkSuspension()
    #expect(runs.entries == [])
  }

  @Test func `a burst that reaches its maximum wait sleeps once per deadline`() async throws {
    let debouncer = Debouncer(delay: .seconds(1), maximumWait: .seconds(2), clock: clock)
    for name in 1...5 {
      execute("\(name)", on: debouncer)
      try await clock.waitForSleepers(count: 1)
      #expect(clock.sleepers.count == 1)
      await clock.advance(by: .milliseconds(600))
    }
    await clock.advance(by: .seconds(1))
    await runs.wait(for: 2)
    #expect(runs.entries == ["4 at 2.0 seconds", "5 at 3.4 seconds"])
  }

  private actor Editor {
    let debouncer: Debouncer
    let saved = Log<Int>()
    init(debouncer: Debouncer) { self.debouncer = debouncer }

    func edit() {
      debouncer.execute {
        self.assertIsolated()
        self.saved.append(1)
      }
    }
  }

  @Test func `an action runs on the actor on which it was written`() async throws {
    let editor = Editor(debouncer: Debouncer(delay: .seconds(1), clock: clock))
    await editor.edit()
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(1))
    await editor.saved.wait(for: 1)
  }

  @Test func `an action without an actor can be executed from synchronous code`() async throws {
    let debouncer = Debouncer(delay: .seconds(1), clock: clock)
    nonisolated func synchronous() {
      debouncer.execute { [runs] in runs.append("ran") }
    }
    synchronous()
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(1))
    await runs.wait(for: 1)
  }

  @Test func `an invalid argument is reported with its value`() {
    let issues = issues {
      _ = Debouncer(delay: .seconds(-1))
      _ = Debouncer(delay: .seconds(2), maximumWait: .seconds(1))
      _ = Debouncer(delay: .seconds(2), edges: [])
    }
    let refusals = [
      "'delay' is -1.0 seconds", "'maximumWait' is 1.0 seconds, but must be at least the delay",
      "'edges' is empty",
    ]
    #expect(issues.count == refusals.count)
    for (issue, refusal) in zip(issues, refusals) { #expect(issue.message.contains(refusal)) }
  }

  @Test func `with a delay at the end of the range no action runs`() async throws {
    let debouncer = Debouncer(delay: .seconds(Int64.max), clock: clock)
    execute("first", on: debouncer)
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(1_000_000_000_000))
    execute("second", on: debouncer)
    #expect(runs.entries == [])
  }
}

/// In virtual time, without an injected clock.
@MainActor @Suite(.virtualTime) struct DebouncerUninjectedTests {
  @Test(.virtualStandardClocks) func `saving waits for two seconds without typing`() async throws {
    let start = ContinuousClock.now
    var saves: [String] = []
    let debouncer = Debouncer(delay: .seconds(2))
    for (edit, pause) in [(1, 1), (2, 1), (3, 5), (4, 3)] {
      debouncer.execute { saves.append("\(edit) at \(start.duration(to: .now))") }
      try await Task.sleep(for: .seconds(pause))
    }
    #expect(saves == ["3 at 4.0 seconds", "4 at 9.0 seconds"])
  }
}

@Suite struct DebouncerOrderTests {
  @Test func `actions run in the order of the calls, also from outside their actor`() async throws {
    let report = try await withExploration(200) { time in
      let log = Log<String>()
      let debouncer = Debouncer(delay: .seconds(1), edges: [.leading, .trailing], clock: time)
      debouncer.execute { @MainActor in log.append("A") }
      debouncer.execute { @MainActor in log.append("B") }
      debouncer.flush()
      await time.settle()
      #expect(log.entries == ["A", "B"])
    }
    #expect(report.failure == nil, "\(String(describing: report.failure))")
  }
}
