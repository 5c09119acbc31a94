import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@Suite(.virtualTime) struct QuotaLimiterTests {
  let clock = TestClock()
  let acquired = Log<String>()

  /// Creates a limiter that grants one permit per second, and `capacity` permits at once.
  private func makeLimiter(capacity: Int = 1) throws -> QuotaLimiter<TestClock<Duration>> {
    try QuotaLimiter(
      .tokenBucket(capacity: capacity, refill: 1, every: .seconds(1)), clock: clock)
  }

  /// Starts a task that acquires permits, and returns when its request is in the queue.
  private func begin(
    _ name: String, _ permits: Int = 1, on limiter: QuotaLimiter<TestClock<Duration>>
  ) async -> Task<Void, any Error> {
    let task = Task { [acquired, clock] in
      try await limiter.acquire(permits)
      acquired.append("\(name) at \(clock.now)")
    }
    await clock.advance()
    return task
  }

  @Test func `a denied request is told when a permit will be available`()
    async throws
  {
    let limiter = try makeLimiter(capacity: 2)
    #expect(limiter.tryAcquire() == .allowed(remaining: 1))
    #expect(limiter.tryAcquire() == .allowed(remaining: 0))
    #expect(limiter.tryAcquire() == .denied(retryAfter: .seconds(1)))
    await clock.advance(by: .seconds(1) - .nanoseconds(1))
    #expect(limiter.tryAcquire() == .denied(retryAfter: .nanoseconds(1)))
    await clock.advance(by: .nanoseconds(1))
    #expect(limiter.tryAcquire().isAllowed)
  }

  @Test func `several permits are granted together or not at all`() throws {
    let limiter = try makeLimiter(capacity: 3)
    #expect(try limiter.tryAcquire(2) == .allowed(remaining: 1))
    #expect(try limiter.tryAcquire(2) == .denied(retryAfter: .seconds(1)))
    #expect(try limiter.tryAcquire(1) == .allowed(remaining: 0))
  }

  @Test func `as many permits are taken as there are, and none before those who wait`() async throws
  {
    let limiter = try makeLimiter(capacity: 3)
    #expect(try limiter.tryAcquire(upTo: 2) == 2)
    #expect(try limiter.tryAcquire(upTo: .max) == 1)
    #expect(try limiter.tryAcquire(upTo: 1) == 0)
    let task = await begin("first", on: limiter)
    await clock.advance(by: .seconds(3))
    try await task.value
    #expect(try limiter.tryAcquire(upTo: 5) == 2)
    for count in [0, -1] {
      #expect(throws: QuotaError.invalidRequest(permits: count)) {
        try limiter.tryAcquire(upTo: count)
      }
    }
  }

  @Test func `waiting tasks are served in order, each at the time of its permit`() async throws {
    let limiter = try makeLimiter()
    try await limiter.acquire()
    var tasks = [await begin("first", on: limiter)]
    tasks.append(await begin("second", on: limiter))
    for count in 1...2 {
      try await clock.waitForSleepers(count: 1)
      await clock.advance(by: .seconds(1))
      await acquired.wait(for: count)
    }
    for task in tasks { try await task.value }
    #expect(acquired.entries == ["first at 1.0 seconds", "second at 2.0 seconds"])
    try await clock.checkSuspension()
  }

  @Test func `a small request does not overtake a large one`() async throws {
    let limiter = try makeLimiter(capacity: 3)
    _ = try limiter.tryAcquire(2)
    let large = await begin("large", 3, on: limiter)
    // One permit is available, but the large request is waiting for it.
    #expect(limiter.tryAcquire() == .denied(retryAfter: .seconds(3)))
    await clock.advance(by: .seconds(2))
    try await large.value
    #expect(acquired.entries == ["large at 2.0 seconds"])
  }

  @Test func `a cancelled task leaves its permits to the tasks behind it`() async throws {
    let limiter = try makeLimiter(capacity: 5)
    _ = try limiter.tryAcquire(5)
    let first = await begin("first", 5, on: limiter)
    let second = await begin("second", 1, on: limiter)
    await clock.advance(by: .seconds(2))
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    // Two permits had come back. The second task gets one at once, and one is left.
    try await second.value
    #expect(acquired.entries == ["second at 2.0 seconds"])
    #expect(limiter.tryAcquire() == .allowed(remaining: 0))
    try await clock.checkSuspension()
  }

  @Test func `when the last waiting task is cancelled the timer is cancelled`() async throws {
    let limiter = try makeLimiter()
    _ = limiter.tryAcquire()
    let only = await begin("only", on: limiter)
    only.cancel()
    await #expect(throws: CancellationError.self) { try await only.value }
    try await clock.checkSuspension()
    await clock.advance(by: .seconds(1))
    #expect(limiter.tryAcquire().isAllowed)
  }

  @Test func `a cancelled task takes no permit`() async throws {
    let limiter = try makeLimiter()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await limiter.acquire()
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(limiter.tryAcquire().isAllowed)
  }

  @Test func `a request whose deadline has passed fails and takes no permit`() async throws {
    let limiter = try makeLimiter()
    await clock.advance(by: .seconds(1))
    let deadline = clock.now.advanced(by: .nanoseconds(-1))
    await #expect(throws: QuotaError.deadlineUnreachable(retryAfter: .zero)) {
      try await limiter.acquire(before: deadline)
    }
    #expect(limiter.tryAcquire().isAllowed)
  }

  @Test func `a request whose deadline is now takes a permit that is available`() async throws {
    let limiter = try makeLimiter()
    try await limiter.acquire(before: clock.now)
    #expect(!limiter.tryAcquire().isAllowed)
  }

  @Test func `a request whose deadline cannot be met fails at once and takes no permit`()
    async throws
  {
    let limiter = try makeLimiter()
    _ = limiter.tryAcquire()
    await #expect(throws: QuotaError.deadlineUnreachable(retryAfter: .seconds(1))) {
      try await limiter.acquire(before: clock.now.advanced(by: .seconds(1) - .nanoseconds(1)))
    }
    let task = Task { [clock] in
      try await limiter.acquire(before: clock.now.advanced(by: .seconds(1)))
    }
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(1))
    try await task.value
  }

  @Test func `a reservation takes permits that will be available later`() async throws {
    let limiter = try makeLimiter()
    #expect(try limiter.reserve().readyAt == clock.now)
    let reservation = try limiter.reserve()
    #expect(reservation.readyAt.offset == .seconds(1))
    #expect(try limiter.reserve().readyAt.offset == .seconds(2))
    #expect(limiter.tryAcquire() == .denied(retryAfter: .seconds(3)))
    let wait = Task { try await reservation.wait() }
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(1))
    try await wait.value
  }

  @Test func `a cancelled reservation gives its permits back exactly once`() async throws {
    let limiter = try makeLimiter()
    _ = limiter.tryAcquire()
    let reservation = try limiter.reserve()
    reservation.cancel()
    reservation.cancel()
    #expect(limiter.tryAcquire() == .denied(retryAfter: .seconds(1)))
    let late = try limiter.reserve()
    await clock.advance(by: .seconds(1))
    late.cancel()
    #expect(limiter.tryAcquire() == .denied(retryAfter: .seconds(1)))
  }

  @Test func `waiting for a cancelled reservation fails, because its permits are given back`()
    async throws
  {
    let limiter = try makeLimiter()
    _ = limiter.tryAcquire()
    let reservation = try limiter.reserve()
    let copy = reservation
    let wait = Task { try await reservation.wait() }
    try await clock.waitForSleepers(count: 1)
    reservation.cancel()
    await #expect(throws: CancellationError.self) { try await copy.wait() }
    await clock.advance(by: .seconds(1))
    await #expect(throws: CancellationError.self) { try await wait.value }
    #expect(limiter.tryAcquire().isAllowed)
  }

  @Test func `cancelling a reservation whose time has come has no effect`() async throws {
    let limiter = try makeLimiter()
    let first = try limiter.reserve()
    first.cancel()
    try await first.wait()
    let second = try limiter.reserve()
    await clock.advance(by: .seconds(1))
    second.cancel()
    try await second.wait()
    #expect(!limiter.tryAcquire().isAllowed)
  }

  @Test func `a clock before the origin and permits that never come do not overflow`() async throws
  {
    let clock = SettableClock()
    let limiter = try QuotaLimiter(
      .tokenBucket(capacity: 1_000_000_000_000, refill: 1, every: .seconds(3_000_000_000)),
      clock: clock)
    #expect(try limiter.tryAcquire(1_000_000_000_000).isAllowed)
    clock.set(.seconds(-3_000_000_000))
    let time = Duration.nanoseconds(Int64.max) + .seconds(3_000_000_000)
    #expect(try limiter.tryAcquire(1_000_000_000_000) == .denied(retryAfter: time))
    await #expect(throws: QuotaError.deadlineUnreachable(retryAfter: time)) {
      try await limiter.acquire(1_000_000_000_000, before: clock.now)
    }
  }

  @Test(arguments: [
    Quota.tokenBucket(capacity: 2, refill: 1, every: .seconds(3_000_000_000)),
    .tokenBucket(capacity: 2, refill: 1, every: .seconds(3_000_000_000), style: .interval),
    .slidingWindow(limit: 2, per: .seconds(3_000_000_000)),
  ])
  func `at the end of the range of time, permits that never come are not granted`(quota: Quota)
    async throws
  {
    let clock = SettableClock()
    let limiter = try QuotaLimiter(quota, clock: clock)
    clock.set(.nanoseconds(Int64.max - 1))
    #expect(try limiter.tryAcquire(2).isAllowed)
    let reservation = try limiter.reserve()
    clock.set(.longest)
    #expect(limiter.remaining == 0)
    #expect(!limiter.tryAcquire().isAllowed)
    reservation.cancel()
    #expect(!limiter.tryAcquire().isAllowed)
  }

  @Test func `a task behind a reservation moves up when the reservation is cancelled`() async throws
  {
    let limiter = try makeLimiter()
    _ = limiter.tryAcquire()
    let reservation = try limiter.reserve()
    let waiter = await begin("waiter", on: limiter)
    reservation.cancel()
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(1))
    try await waiter.value
    #expect(acquired.entries == ["waiter at 1.0 seconds"])
  }

  @Test func `a reservation gives its permits back when its wait is cancelled`() async throws {
    let limiter = try makeLimiter()
    _ = limiter.tryAcquire()
    let reservation = try limiter.reserve()
    let wait = Task { try await reservation.wait() }
    try await clock.waitForSleepers(count: 1)
    wait.cancel()
    await #expect(throws: CancellationError.self) { try await wait.value }
    #expect(try limiter.reserve().readyAt.offset == .seconds(1))
  }

  @Test(arguments: [0, -1])
  func `a request for less than one permit is refused`(permits: Int) async throws {
    let limiter = try makeLimiter()
    let error = QuotaError.invalidRequest(permits: permits)
    #expect(throws: error) { try limiter.tryAcquire(permits) }
    #expect(throws: error) { try limiter.reserve(permits) }
    await #expect(throws: error) { try await limiter.acquire(permits) }
    #expect(
      error.description == "'permits' must be at least 1 (got \(permits)).")
  }

  @Test func `a request for more than the capacity is refused at once`() async throws {
    let limiter = try makeLimiter(capacity: 2)
    let error = QuotaError.beyondCapacity(permits: 3, capacity: 2)
    #expect(error.description.contains("this quota grants at most 2 at once"))
    #expect(throws: error) { try limiter.tryAcquire(3) }
    #expect(throws: error) { try limiter.reserve(3) }
    await #expect(throws: error) { try await limiter.acquire(3) }
    #expect(try limiter.tryAcquire(2).isAllowed)
  }

  @Test func `a quota with an invalid argument is refused`() {
    #expect(throws: InvalidArgumentError.self) {
      try QuotaLimiter(.slidingWindow(limit: 0, per: .seconds(1)))
    }
    #expect(throws: InvalidArgumentError.self) {
      try KeyedQuotaLimiter<Int, _>(.slidingWindow(limit: 0, per: .seconds(1)))
    }
  }
}

/// Tasks that run in parallel, on real threads.
@Suite struct QuotaLimiterThreadTests {
  @Test func `parallel tasks get every permit exactly once`() async throws {
    // A hundred tasks compete for the permits. Half of them are cancelled.
    let clock = JumpingClock()
    let limiter = try QuotaLimiter(
      .tokenBucket(capacity: 2, refill: 1, every: .seconds(1)), clock: clock)
    let granted = Log<Void>()
    await withTaskGroup { group in
      for index in 0..<100 {
        group.addTask { @concurrent in
          let task = Task {
            try await limiter.acquire()
            granted.append(())
          }
          if index.isMultiple(of: 2) { task.cancel() }
          _ = await task.result
        }
      }
    }
    // The time that has passed must match the number of permits that were granted.
    let last = try limiter.reserve(2).readyAt
    #expect(granted.count >= 50)
    #expect(last.offset >= .seconds(granted.count - 2))
    #expect(limiter.quota == .tokenBucket(capacity: 2, refill: 1, every: .seconds(1)))
  }
}

/// In virtual time, without an injected clock.
@Suite(.virtualTime) struct QuotaLimiterUninjectedTests {
  @Test(
    .virtualStandardClocks, .plainOrder,
    arguments: [
      Quota.tokenBucket(capacity: 1, refill: 1, every: .seconds(1)),
      .tokenBucket(capacity: 1, refill: 1, every: .seconds(1), style: .interval),
      .slidingWindow(limit: 1, per: .seconds(1)),
    ])
  func `a hundred tasks are served in order, one per second`(quota: Quota) async throws {
    let start = ContinuousClock.now
    let limiter = try QuotaLimiter(quota)
    let served = Log<String>()
    try await withThrowingTaskGroup { group in
      for task in 0..<100 {
        group.addTask {
          try await limiter.acquire()
          served.append("\(task) at \(start.duration(to: .now))")
        }
      }
      try await group.waitForAll()
    }
    #expect(served.entries == (0..<100).map { "\($0) at \(Duration.seconds($0))" })
  }

  @Test(.virtualStandardClocks)
  func `cancelling tasks at random moments does not lose or add a permit`() async throws {
    let start = ContinuousClock.now
    for seed in 0..<200 as Range<UInt64> {
      var generator = SplitMix64(seed: seed)
      let limiter = try QuotaLimiter(
        .slidingWindow(limit: 3, per: .seconds(10)))
      let times = Log<Duration>()
      await withTaskGroup { group in
        for _ in 0..<20 {
          let permits = Int.random(in: 1...3, using: &generator)
          let patience = Int.random(in: 0...60, using: &generator)
          group.addTask {
            try? await withDeadline(in: .seconds(patience)) {
              try await limiter.acquire(permits)
              for _ in 0..<permits { times.append(start.duration(to: .now)) }
            }
          }
        }
      }
      for (time, next) in zip(times.entries, times.entries.dropFirst(3)) {
        #expect(next - time >= .seconds(10), "seed \(seed)")
      }
      // No task is left, so all permits are available when the last ones have left the window.
      try await Task.sleep(for: .seconds(10))
      #expect(try limiter.tryAcquire(3).isAllowed, "seed \(seed)")
    }
  }
}
