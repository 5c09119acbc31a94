import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@Suite(.virtualTime) struct ConcurrencyLimiterTests {
  let clock = TestClock()
  private let log = Log<String>()

  private struct Failure: Error {}

  /// Begins an operation that takes ten seconds.
  private func begin(
    _ name: String, _ limiter: ConcurrencyLimiter<TestClock<Duration>>
  ) -> Task<Void, any Error> {
    Task { [clock, log] in
      try await limiter.run {
        log.append(name)
        try await clock.sleep(for: .seconds(10))
      }
    }
  }

  @Test func `operations beyond the limit begin in the order of their calls`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(2), clock: clock)
    var tasks: [Task<Void, any Error>] = []
    for name in ["a", "b", "c", "d", "e"] {
      tasks.append(begin(name, limiter))
      await VirtualTime.current?.settle()
    }
    for round in 1...3 {
      try await clock.waitForSleepers(count: round < 3 ? 2 : 1)
      #expect(limiter.running == (round < 3 ? 2 : 1))
      await clock.advance(by: .seconds(10))
    }
    for task in tasks { try await task.value }
    #expect(log.entries == ["a", "b", "c", "d", "e"])
    #expect(limiter.running == 0)
    #expect(limiter.waiting == 0)
  }

  @Test func `a task that is cancelled while it waits leaves the queue`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), clock: clock)
    let first = begin("a", limiter)
    try await clock.waitForSleepers(count: 1)
    let second = begin("b", limiter)
    let third = begin("c", limiter)
    await VirtualTime.current?.settle()
    #expect(limiter.waiting == 2)
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    #expect(limiter.waiting == 1)
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(10))
    try await third.value
    #expect(log.entries == ["a", "c"])
  }

  @Test func `an operation that fails frees its place`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), maximumWaiting: 0)
    for _ in 0..<3 {
      await #expect(throws: Failure.self) { try await limiter.run { throw Failure() } }
    }
    #expect(limiter.running == 0)
  }

  @Test func `tasks beyond the room for waiting are refused`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), maximumWaiting: 0)
    _ = try await limiter.run {
      await #expect(throws: ConcurrencyLimitError.self) { try await limiter.run {} }
    }
    try await limiter.run {}
  }

  @Test func `a deadline around the call bounds the wait`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), clock: clock)
    let first = begin("a", limiter)
    try await clock.waitForSleepers(count: 1)
    let second = Task { [clock] in
      try await withDeadline(in: .seconds(1), clock: clock) { try await limiter.run {} }
    }
    try await clock.waitForSleepers(count: 2)
    await clock.advance(by: .seconds(1))
    await #expect(throws: DeadlineExpiredError.self) { try await second.value }
    #expect(limiter.waiting == 0)
    first.cancel()
  }

  @Test func `a cancelled task does not begin`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await limiter.run { _ = Issue.record("began") }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(limiter.running == 0)
  }

  @Test func `an expired deadline shrinks a limit that adapts`() async throws {
    let limiter = try ConcurrencyLimiter(.vegas(initial: 10), clock: clock)
    let inner = Task { [clock] in
      try await limiter.run {
        try await withDeadline(in: .seconds(1), clock: clock) {
          try await clock.sleep(for: .seconds(60))
        }
      }
    }
    try await clock.waitForSleepers(count: 2)
    await clock.advance(by: .seconds(1))
    await #expect(throws: DeadlineExpiredError.self) { try await inner.value }
    #expect(limiter.limit == 9)
    let outer = Task { [clock] in
      try await withDeadline(in: .seconds(1), clock: clock) {
        try await limiter.run { try await clock.sleep(for: .seconds(60)) }
      }
    }
    try await clock.waitForSleepers(count: 2)
    await clock.advance(by: .seconds(1))
    await #expect(throws: DeadlineExpiredError.self) { try await outer.value }
    #expect(limiter.limit == 8)
    await #expect(throws: Failure.self) { try await limiter.run { throw Failure() } }
    #expect(limiter.limit == 8)
  }

  @Test(.plainOrder(because: "Each run takes a second."))
  func `of 10,000 tasks, half of them cancelled, none is left behind`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(7), clock: clock)
    let done = Log<Int>()
    let tasks = (0..<10_000).map { number in
      Task {
        try await limiter.run {
          await Task.yield()
          done.append(number)
        }
      }
    }
    for (number, task) in tasks.enumerated() where number.isMultiple(of: 2) { task.cancel() }
    for task in tasks { _ = await task.result }
    #expect(limiter.running == 0)
    #expect(limiter.waiting == 0)
    #expect(Set(done.entries).isSuperset(of: (0..<5_000).map { $0 * 2 + 1 }))
  }

  @Test(.virtualStandardClocks)
  func `wherever tasks are cancelled, no place is lost`() async throws {
    for seed in 0..<200 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      let limiter = try ConcurrencyLimiter(.fixed(2))
      let tasks = (0..<6).map { _ in
        Task { try await limiter.run { try await Task.sleep(for: .seconds(10)) } }
      }
      for task in tasks where Bool.random(using: &generator) {
        try await Task.sleep(for: .seconds(Int.random(in: 0...9, using: &generator)))
        task.cancel()
      }
      for task in tasks { _ = await task.result }
      #expect(limiter.running == 0, "seed \(seed)")
      #expect(limiter.waiting == 0, "seed \(seed)")
    }
  }

  @Test @MainActor func `the operation runs on the actor of the caller`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1))
    var count = 0
    try await limiter.run {
      MainActor.assertIsolated()
      count += 1
    }
    #expect(count == 1)
  }

  @Test(arguments: [
    (ConcurrencyLimit.fixed(0), "limit"), (.vegas(initial: 0), "initial"),
    (.vegas(initial: 0, in: 0...5), "range"), (.vegas(initial: 5, in: 1...1_000_001), "range"),
  ])
  func `a limit with an invalid argument is refused`(limit: ConcurrencyLimit, name: String) {
    let error = #expect(throws: InvalidArgumentError.self) { try ConcurrencyLimiter(limit) }
    #expect(error?.argument == name)
    #expect(throws: InvalidArgumentError.self) {
      try ConcurrencyLimiter(.fixed(1), maximumWaiting: -1)
    }
  }

  @Test(
    .virtualStandardClocks,
    arguments: [(Duration.seconds(10), true), (.seconds(10) - .nanoseconds(1), false)])
  func `a task has its turn within its delay, or is refused`(
    delay: Duration, hasTurn: Bool
  ) async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), maximumDelay: delay)
    let first = Task { try await limiter.run { try await Task.sleep(for: .seconds(10)) } }
    await VirtualTime.current?.settle()
    let second = Task { try await limiter.run {} }
    try await first.value
    let expected = ConcurrencyLimitError(.waitedTooLong)
    #expect(await second.result.error as? ConcurrencyLimitError == (hasTurn ? nil : expected))
    #expect(limiter.running == 0)
  }

  @Test(.virtualStandardClocks)
  func `an urgent task goes first, and takes the place of one that is not`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), maximumWaiting: 2)
    @Sendable func begin(_ name: String, _ priority: TaskPriority) -> Task<Void, any Error> {
      Task { [log] in
        do {
          try await limiter.run(priority: priority) {
            log.append(name)
            try await Task.sleep(for: .seconds(1))
          }
        } catch let error as ConcurrencyLimitError {
          log.append("\(name): \(error.reason)")
        }
      }
    }
    let names: [(String, TaskPriority)] = [
      ("a", .low), ("b", .low), ("c", .low), ("d", .high), ("e", .low), ("f", .high), ("g", .high),
    ]
    var tasks: [Task<Void, any Error>] = []
    for (name, priority) in names {
      tasks.append(begin(name, priority))
      await VirtualTime.current?.settle()
    }
    for task in tasks { try await task.value }
    #expect(
      log.entries == [
        "a", "c: displaced", "e: manyWait", "b: displaced", "g: manyWait", "d", "f",
      ])
  }

  @Test(.virtualStandardClocks)
  func `a task is refused although others with a higher priority go first`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), maximumDelay: .milliseconds(1_500))
    let start = ContinuousClock.now
    let urgent = (0..<2).map { _ in
      Task {
        for _ in 0..<10 {
          try? await limiter.run(priority: .high) { try await Task.sleep(for: .seconds(1)) }
        }
      }
    }
    await VirtualTime.current?.settle()
    await #expect(throws: ConcurrencyLimitError(.waitedTooLong)) {
      try await limiter.run(priority: .low) {}
    }
    #expect(ContinuousClock.now - start == .seconds(2))
    for task in urgent { await task.value }
  }

  @Test func `a delay and a clock at the end of their ranges do not end the process`() async throws
  {
    let clock = SettableClock()
    let limiter = try ConcurrencyLimiter(.vegas(), maximumDelay: .longest, clock: clock)
    for offset in [Duration.longest, .zero - .longest, .longest] {
      let tasks = (0..<30).map { _ in
        Task { try await limiter.run { await Task.yield() } }
      }
      clock.set(offset)
      for task in tasks { _ = await task.result }
      try await limiter.run { clock.set(.zero - offset) }
    }
    #expect(limiter.running == 0)
  }

  /// A server that can do a hundred calls in a second, and has three hundred.
  ///
  /// An answer that takes longer than a second is of no use.
  @Test(.virtualStandardClocks, arguments: [nil, Duration.milliseconds(200)])
  func `a server with too much to do answers in time if it refuses what waits too long`(
    maximumDelay: Duration?
  ) async throws {
    let limiter = try ConcurrencyLimiter(.fixed(10), maximumDelay: maximumDelay)
    let useful = Log<Void>()
    let start = ContinuousClock.now
    await withTaskGroup { calls in
      for number in 0..<9_000 {
        calls.addTask {
          let beginning = start + .seconds(30) * number / 9_000
          try? await Task.sleep(until: beginning)
          try? await limiter.run {
            try await Task.sleep(for: .milliseconds(100))
            if ContinuousClock.now - beginning <= .seconds(1) { useful.append(()) }
          }
        }
      }
    }
    // It can do 3,000 in the 30 seconds.
    if maximumDelay == nil {
      #expect(useful.count < 300)
    } else {
      #expect(useful.count > 2_700)
    }
  }
}

@Suite struct ConcurrencyOrderTests {
  @Test(.virtualTime(order: .exploring(1_000)), .virtualStandardClocks)
  func `in each order, nothing is lost and nothing runs twice`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), maximumDelay: .milliseconds(2))
    let ended = Log<Int>()
    let tasks = (0..<5).map { number in
      Task {
        try? await limiter.run(priority: number == 3 ? .high : .medium) {
          #expect(limiter.running == 1)
          try await Task.sleep(for: .milliseconds(1))
        }
        ended.append(number)
      }
    }
    for task in tasks.dropFirst() {
      await Task.yield()
      task.cancel()
    }
    for task in tasks { await task.value }
    #expect(ended.entries.sorted() == Array(0..<5))
    #expect(limiter.running == 0)
    #expect(limiter.waiting == 0)
  }
}

extension Result {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

// MARK: - Replacing the limit

extension ConcurrencyLimiterTests {
  @Test func `a larger limit lets tasks begin that wait, and a smaller one ends none`()
    async throws
  {
    let limiter = try ConcurrencyLimiter(.fixed(1), clock: clock)
    var tasks: [Task<Void, any Error>] = []
    for name in ["a", "b", "c", "d"] {
      tasks.append(begin(name, limiter))
      await VirtualTime.current?.settle()
    }
    try limiter.replaceLimit(with: .fixed(3))
    try await clock.waitForSleepers(count: 3)
    #expect(log.entries.sorted() == ["a", "b", "c"])
    try limiter.replaceLimit(with: .fixed(1))
    #expect(limiter.running == 3)
    await clock.advance(by: .seconds(10))
    for task in tasks.prefix(3) { try await task.value }
    try await clock.waitForSleepers(count: 1)
    #expect(limiter.running == 1)
    await clock.advance(by: .seconds(10))
    try await tasks[3].value
    #expect(limiter.limit == 1)
  }

  @Test func `the bounds of the queue can be replaced, too`() async throws {
    let limiter = try ConcurrencyLimiter(
      .fixed(1), maximumWaiting: 0, maximumDelay: .seconds(60), clock: clock)
    let first = begin("a", limiter)
    try await clock.waitForSleepers(count: 1)
    await #expect(throws: ConcurrencyLimitError.self) { try await limiter.run {} }
    try limiter.replaceLimit(with: .fixed(1), maximumWaiting: 1, maximumDelay: .seconds(5))
    // The operation before takes ten seconds.
    let second = begin("b", limiter)
    await VirtualTime.current?.settle()
    #expect(limiter.waiting == 1)
    await clock.advance(by: .seconds(10))
    try await first.value
    await #expect(throws: ConcurrencyLimitError.self) { try await second.value }
    // Without numbers, they stay.
    try limiter.replaceLimit(with: .fixed(1))
    let third = begin("c", limiter)
    try await clock.waitForSleepers(count: 1)
    let fourth = begin("d", limiter)
    await VirtualTime.current?.settle()
    await #expect(throws: ConcurrencyLimitError.self) { try await limiter.run {} }
    await clock.advance(by: .seconds(10))
    try await third.value
    await #expect(throws: ConcurrencyLimitError.self) { try await fourth.value }
  }

  @Test func `bounds of the queue that are not valid are refused`() throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), maximumDelay: .seconds(1), clock: clock)
    let plain = try ConcurrencyLimiter(.fixed(1), clock: clock)
    for (argument, replace) in [
      ("maximumWaiting", { try limiter.replaceLimit(with: .fixed(1), maximumWaiting: -1) }),
      ("maximumDelay", { try limiter.replaceLimit(with: .fixed(1), maximumDelay: .zero) }),
      ("maximumDelay", { try plain.replaceLimit(with: .fixed(1), maximumDelay: .seconds(1)) }),
    ] as [(String, () throws -> Void)] {
      let error = #expect(throws: InvalidArgumentError.self) { try replace() }
      #expect(error?.argument == argument)
    }
  }

  @Test func `a limit of another kind is refused`() throws {
    let fixed = try ConcurrencyLimiter(.fixed(2), clock: clock)
    let adaptive = try ConcurrencyLimiter(.vegas(), clock: clock)
    #expect(throws: InvalidArgumentError.self) { try fixed.replaceLimit(with: .vegas()) }
    #expect(throws: InvalidArgumentError.self) { try adaptive.replaceLimit(with: .fixed(3)) }
    #expect(throws: InvalidArgumentError.self) { try fixed.replaceLimit(with: .fixed(0)) }
    #expect((fixed.limit, adaptive.limit) == (2, 20))
    try adaptive.replaceLimit(with: .vegas(initial: 7))
    #expect(adaptive.limit == 7)
  }
}
