import EscapementTesting
import TestSupport
import Testing

@MainActor private final class Model {
  private(set) var count = 0

  func load(_ time: VirtualTime) {
    Task {
      while true {
        try await time.sleep(for: .nanoseconds(3_333_333_333))
        count += 1
      }
    }
  }
}

private actor Store {
  private(set) var count = 0

  func load(_ time: VirtualTime) async throws {
    try await time.sleep(for: .seconds(5))
    count = 1
  }
}

@Suite(.virtualTime(.init(leftovers: .ignore))) struct EventuallyTests {
  @Test func `a condition that is true does not take time`() async throws {
    #expect(try await eventually { true })
    #expect(try await eventually(within: .zero) { true })
    #expect(VirtualTime.current?.now.offset == .zero)
  }

  @Test func `the wait ends at the instant at which the condition becomes true`() async throws {
    let time = try VirtualTime.required
    let ticks = Log<Void>()
    tick(ticks, time)
    try await eventually { ticks.count == 3 }
    #expect(time.now.offset == .nanoseconds(3 * 3_333_333_333))
  }

  private func tick(_ ticks: Log<Void>, _ time: VirtualTime) {
    Task {
      while true {
        try await time.sleep(for: .nanoseconds(3_333_333_333))
        ticks.append(())
      }
    }
  }

  @Test(.virtualStandardClocks) @MainActor
  func `a condition may read the state of the main actor`() async throws {
    let time = try VirtualTime.required
    let model = Model()
    model.load(time)
    try await eventually { model.count == 3 }
    #expect(time.now.offset == .nanoseconds(3 * 3_333_333_333))
  }

  @Test func `a condition may suspend`() async throws {
    let time = try VirtualTime.required
    let store = Store()
    async let loading: Void = store.load(time)
    try await eventually { await store.count == 1 }
    #expect(time.now.offset == .seconds(5))
    try await loading
  }

  @Test func `a condition of the time alone is checked at each interval`() async throws {
    let time = try VirtualTime.required
    let expiry = time.now.advanced(by: .milliseconds(250))
    try await eventually { time.now >= expiry }
    #expect(time.now.offset == .milliseconds(300))
  }

  @Test func `the work of an instant is done before the condition is checked`() async throws {
    let time = try VirtualTime.required
    let counts = Log<Int>()
    // Waits in a task that is not the test, and before the others: its sleep ends first.
    let waiting = Task {
      try await eventually(pollingEvery: .seconds(1)) {
        counts.append(counts.count)
        return time.now.offset >= .seconds(1)
      }
    }
    let log = Log<Int>()
    await time.settle()
    for number in 1...3 {
      Task {
        try await time.sleep(until: .init(offset: .seconds(1)))
        log.append(number)
      }
    }
    _ = try await waiting.value
    #expect(log.entries.sorted() == [1, 2, 3])
    #expect(counts.count == 2)
  }

  @Test func `two waits at once both end at their instants`() async throws {
    let time = try VirtualTime.required
    func wait(_ seconds: Int) async throws -> Duration {
      try await eventually { time.now.offset >= .seconds(seconds) }
      return time.now.offset
    }
    async let first = wait(2)
    async let second = wait(1)
    #expect(try await [first, second] == [.seconds(2), .seconds(1)])
  }

  @Test(.virtualTime(.init(mode: .manual, leftovers: .ignore)))
  func `in manual mode the wait moves time`() async throws {
    let time = try VirtualTime.required
    let ticks = Log<Void>()
    tick(ticks, time)
    try await eventually { ticks.count == 2 }
    #expect(time.now.offset == .nanoseconds(2 * 3_333_333_333))
  }

  @Test func `a condition that stays false fails the test, and the message says what was awaited`()
    async throws
  {
    let time = try VirtualTime.required
    Task(name: "late") { try await time.sleep(for: .seconds(90)) }
    await time.settle()
    var (line, checks) = (0, 0)
    let issues = try await issues {
      line = #line + 1
      let isTrue = try await eventually("the list is loaded", pollingEvery: .seconds(25)) {
        checks += 1
        return false
      }
      #expect(!isTrue)
    }
    #expect(time.now.offset == .seconds(60))
    #expect(checks == 4)
    #expect(issues.map(\.line) == [line])
    #expect(issues.map(\.isWarning) == [false])
    let message = issues.first?.message ?? ""
    #expect(
      message.hasPrefix(
        """
        'the list is loaded' did not become true within 60.0 seconds of virtual time, up to +60.0 \
        seconds. It was checked 4 times, at least every 25.0 seconds.

        The task of the scope that wakes next is task
        """), "\(message)")
    #expect(message.contains("“late”, asleep since +0.0 seconds until +90.0 seconds"))
    #expect(message.contains(".\n\nIf the code under test needs longer, pass a longer 'within'."))
  }

  @Test func `the timeout is the last instant at which the condition is checked`() async throws {
    let time = try VirtualTime.required
    try await eventually(within: .seconds(1)) { time.now.offset >= .seconds(1) }
    let issues = try await issues {
      try await eventually(within: .seconds(1)) {
        time.now.offset >= .seconds(2) + .nanoseconds(1)
      }
    }
    #expect(issues.count == 1)
    #expect(time.now.offset == .seconds(2))
  }

  @Test func `without a description and without sleepers the message says so`() async throws {
    let issues = try await issues { try await eventually(within: .zero) { false } }
    let message = issues.first?.message ?? ""
    #expect(message.hasPrefix("The condition of 'eventually' did not become true within 0.0"))
    #expect(message.contains("It was checked 1 time, "))
    #expect(message.contains("No task of the scope sleeps."))
  }

  @Test(arguments: [(Duration.seconds(-1), Duration.seconds(1)), (.seconds(1), .zero)])
  func `invalid durations fail the test, and the condition is not checked`(
    timeout: Duration, interval: Duration
  ) async throws {
    var line = 0
    let issues = try await issues {
      line = #line + 1
      try await eventually(within: timeout, pollingEvery: interval) {
        Issue.record("The condition was checked.")
        return true
      }
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("'within' \(timeout)") == true)
  }

  @Test func `the error of the condition ends the wait`() async {
    struct Failure: Error {}
    await #expect(throws: Failure.self) { try await eventually { throw Failure() } }
  }

  @Test func `a cancelled task stops waiting`() async {
    let task = Task { try await eventually { false } }
    await VirtualTime.current?.settle()
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(VirtualTime.current?.now.offset == .zero)
  }
}
