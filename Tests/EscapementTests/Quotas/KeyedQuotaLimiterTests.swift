import EscapementClocks
import EscapementTesting
import TestSupport
import Testing

@testable import Escapement

@Suite(.virtualTime) struct KeyedQuotaLimiterTests {
  let clock = TestClock()

  private func makeLimiter() throws -> KeyedQuotaLimiter<Int, TestClock<Duration>> {
    try KeyedQuotaLimiter(
      .tokenBucket(capacity: 2, refill: 1, every: .seconds(1)), clock: clock)
  }

  @Test func `each key has a separate quota`() throws {
    let limiter = try makeLimiter()
    #expect(try limiter.tryAcquire(2, for: 1) == .allowed(remaining: 0))
    #expect(limiter.tryAcquire(for: 1) == .denied(retryAfter: .seconds(1)))
    #expect(limiter.tryAcquire(for: 2) == .allowed(remaining: 1))
    #expect(limiter.count == 2)
  }

  @Test func `a task that waits for a key gets its permit when that is available`() async throws {
    let limiter = try makeLimiter()
    _ = try limiter.tryAcquire(2, for: 1)
    await #expect(throws: QuotaError.deadlineUnreachable(retryAfter: .seconds(1))) {
      try await limiter.acquire(for: 1, before: clock.now)
    }
    let task = Task { try await limiter.acquire(for: 1) }
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(1))
    try await task.value
  }

  @Test func `a key is evicted when it is idle, and not a nanosecond before`() async throws {
    let limiter = try makeLimiter()
    _ = limiter.tryAcquire(for: 1)
    await clock.advance(by: .seconds(1) - .nanoseconds(1))
    limiter.evictIdle()
    #expect(limiter.count == 1)
    await clock.advance(by: .nanoseconds(1))
    limiter.evictIdle()
    #expect(limiter.count == 0)
  }

  @Test func `a key for which a task waits is not evicted`() async throws {
    let limiter = try makeLimiter()
    _ = try limiter.tryAcquire(2, for: 1)
    let task = Task { try await limiter.acquire(for: 1) }
    try await clock.waitForSleepers(count: 1)
    limiter.evictIdle()
    #expect(limiter.count == 1)
    task.cancel()
    _ = await task.result
    await clock.advance(by: .seconds(2))
    limiter.evictIdle()
    #expect(limiter.count == 0)
  }

  @Test func `after a flood, calls for one known key evict the idle keys`() async throws {
    let limiter = try makeLimiter()
    for key in 0..<10_000 { _ = limiter.tryAcquire(for: key) }
    #expect(limiter.count == 10_000)
    await clock.advance(by: .seconds(1))
    for _ in 0..<20_000 { _ = limiter.tryAcquire(for: 0) }
    #expect(limiter.count == 1)
  }

  @Test func `a clock that moves back does not change the decision for an evicted key`() throws {
    let clock = SettableClock()
    let limiter = try KeyedQuotaLimiter<Int, _>(
      .tokenBucket(capacity: 1, refill: 1, every: .seconds(10)), clock: clock)
    clock.set(.seconds(20))
    limiter.evictIdle()
    #expect(limiter.tryAcquire(for: 1).isAllowed)
    clock.set(.seconds(5))
    #expect(limiter.tryAcquire(for: 1) == .denied(retryAfter: .seconds(25)))
  }

  @Test func `with refills in intervals, all keys refill at the same instants`() async throws {
    let limiter = try KeyedQuotaLimiter<Int, _>(
      .tokenBucket(capacity: 1, refill: 1, every: .seconds(10), style: .interval), clock: clock)
    await clock.advance(by: .seconds(4))
    #expect(limiter.tryAcquire(for: 1).isAllowed)
    #expect(limiter.tryAcquire(for: 1) == .denied(retryAfter: .seconds(6)))
    await clock.advance(by: .seconds(6))
    #expect(limiter.tryAcquire(for: 1).isAllowed)
  }

  @Test func `a key with several quotas is not evicted before all of them are full`() async throws {
    let limiter = try KeyedQuotaLimiter<Int, _>(
      .all(
        .tokenBucket(capacity: 2, refill: 2, every: .seconds(1)),
        .slidingWindow(limit: 4, per: .seconds(3600))),
      clock: clock)
    for _ in 0..<2 {
      #expect(try limiter.tryAcquire(2, for: 1).isAllowed)
      await clock.advance(by: .seconds(1))
      limiter.evictIdle()
    }
    #expect(limiter.tryAcquire(for: 1) == .denied(retryAfter: .seconds(3598)))
    await clock.advance(by: .seconds(3599) - .nanoseconds(1))
    limiter.evictIdle()
    #expect(limiter.count == 1)
    await clock.advance(by: .nanoseconds(1))
    limiter.evictIdle()
    #expect(limiter.count == 0)
  }

  @Test func `a key keeps its permits when a task has waited for it`() async throws {
    let limiter = try makeLimiter()
    _ = try limiter.tryAcquire(2, for: 1)
    let task = Task { try await limiter.acquire(for: 1) }
    try await clock.waitForSleepers(count: 1)
    #expect(limiter.tryAcquire(for: 1) == .denied(retryAfter: .seconds(2)))
    #expect(limiter.count == 1)
    await clock.advance(by: .seconds(1))
    try await task.value
    limiter.evictIdle()
    #expect(limiter.count == 1)
    #expect(limiter.tryAcquire(for: 1) == .denied(retryAfter: .seconds(1)))
  }

  @Test func `a request is refused that a quota can never grant which comes at that moment`()
    async throws
  {
    let clock = HookedClock(TestClock())
    let limiter = try KeyedQuotaLimiter<String, _>(
      .slidingWindow(limit: 5, per: .seconds(10)), clock: clock)
    _ = try limiter.tryAcquire(5, for: "a")
    let waiting = Task { try await limiter.acquire(for: "a") }
    await VirtualTime.current?.settle()
    // The call reads the clock twice before it takes permits.
    clock.hookNow {
      clock.hookNow {
        try! limiter.replaceQuota(with: .slidingWindow(limit: 1, per: .seconds(10)))
      }
    }
    #expect(throws: QuotaError.beyondCapacity(permits: 5, capacity: 1)) {
      try limiter.tryAcquire(5, for: "a")
    }
    waiting.cancel()
    _ = await waiting.result
  }

  @Test func `a key keeps what it has taken when the quota is replaced, also while a task waits`()
    async throws
  {
    let limiter = try KeyedQuotaLimiter<String, _>(
      .tokenBucket(capacity: 4, refill: 1, every: .seconds(3600)), clock: clock)
    for key in ["a", "b"] { _ = try limiter.tryAcquire(3, for: key) }
    let small = Task { try await limiter.acquire(2, for: "b") }
    await VirtualTime.current?.settle()
    let large = Task { try await limiter.acquire(4, for: "b") }
    await VirtualTime.current?.settle()
    try limiter.replaceQuota(with: .slidingWindow(limit: 3, per: .seconds(10)))
    #expect(limiter.quota == .slidingWindow(limit: 3, per: .seconds(10)))
    let error = await #expect(throws: QuotaError.self) { try await large.value }
    #expect(error == .beyondCapacity(permits: 4, capacity: 3))
    #expect(limiter.remaining(for: "a") == 0)
    #expect(limiter.remaining(for: "c") == 3)
    #expect(throws: QuotaError.beyondCapacity(permits: 4, capacity: 3)) {
      try limiter.tryAcquire(4, for: "c")
    }
    await clock.advance(by: .seconds(10))
    try await small.value
    #expect(limiter.remaining(for: "b") == 1)
    #expect(limiter.remaining(for: "a") == 3)
  }
}

/// Not in virtual time, whose limits of real time are not for a test that computes for seconds.
@Suite struct KeyedQuotaLimiterModelTests {
  @Test func `neither eviction nor another quota changes a decision`() {
    forAllSeeds { generator in
      var model = QuotaModel(using: &generator)
      let clock = SettableClock()
      let limiter = try KeyedQuotaLimiter<Int, _>(model.quota, clock: clock)
      // The model keeps all keys.
      var kept: [Int: QuotaAlgorithm] = [:]
      var now: Int64 = 0
      for step in 0..<100 {
        let key = Int.random(in: 0..<5, using: &generator)
        let permits = Int.random(in: 1...model.capacity, using: &generator)
        var algorithm = try kept[key] ?? model.quota.makeAlgorithm()
        let expected: QuotaDecision =
          if let remaining = algorithm.take(permits, at: now) {
            .allowed(remaining: remaining)
          } else {
            .denied(retryAfter: .nanoseconds(algorithm.earliest(permits, from: now) - now))
          }
        kept[key] = algorithm
        let decision = try limiter.tryAcquire(permits, for: key)
        try require(
          decision == expected, "\(decision), not \(expected), step \(step), \(model.quota)")
        if Bool.random(using: &generator) { limiter.evictIdle() }
        if Int.random(in: 0..<10, using: &generator) == 0 {
          model = QuotaModel(using: &generator)
          try limiter.replaceQuota(with: model.quota)
          for (key, previous) in kept {
            kept[key] = try model.quota.makeAlgorithm()
            kept[key]!.inherit(from: previous, at: now)
          }
        }
        now += .random(in: 0...15, using: &generator)
        clock.set(.nanoseconds(now))
      }
    }
  }
}
