import Escapement
import EscapementClocks
import EscapementTesting
import Testing

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

  @Test func `idle keys are evicted when new keys are added`() async throws {
    let limiter = try makeLimiter()
    for key in 0..<10_000 {
      _ = limiter.tryAcquire(for: key)
      if key.isMultiple(of: 50) { await clock.advance(by: .seconds(1)) }
    }
    // At most twice the number of busy keys, or of the 64 keys below which the limiter evicts none.
    #expect(limiter.count <= 2 * 64)
  }
}
