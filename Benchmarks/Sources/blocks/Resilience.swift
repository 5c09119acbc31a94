import Escapement
import Synchronization

/// What a block around a call costs, when the call does nothing.
struct Resilience {
  let calls: Int

  // Concurrent, so that it is on the pool of threads, as in a server.
  @concurrent func measure(_ subject: Subject, batches: Int) async throws -> Measurement {
    // Typed, because the compiler fails at a closure in the place of an optional one.
    let ignore: @Sendable (BlockEvent) -> Void = { _ in }
    let ignoreKeyed: @Sendable (Int, BlockEvent) -> Void = { _, _ in }
    switch subject {
    case .breaker, .toldBreaker:
      let breaker = try CircuitBreaker(
        .failures(5, ofLast: 10), onEvent: subject == .breaker ? nil : ignore)
      return try await repeated(batches) { try await breaker.run {} }
    case .rateBreaker:
      let breaker = try CircuitBreaker(.failureRate(percent: 50, over: .seconds(10)))
      return try await repeated(batches) { try await breaker.run {} }
    case .limiter, .toldLimiter:
      let limiter = try ConcurrencyLimiter(
        .fixed(10), onEvent: subject == .limiter ? nil : ignore)
      return try await repeated(batches) { try await limiter.run {} }
    case .quota, .toldQuota:
      let limiter = try QuotaLimiter(plenty, onEvent: subject == .quota ? nil : ignore)
      return await repeated(batches) { _ = limiter.tryAcquire() }
    case .keyedQuota, .toldKeyedQuota:
      let limiter = try KeyedQuotaLimiter<Int, _>(
        plenty, onEvent: subject == .keyedQuota ? nil : ignoreKeyed)
      return await repeated(batches) { _ = limiter.tryAcquire(for: 1) }
    case .vegasLimiter:
      let limiter = try ConcurrencyLimiter(.vegas())
      return try await repeated(batches) { try await limiter.run {} }
    case .retry:
      return try await repeated(batches) { try await retry {} }
    case .budget:
      let budget = try RetryBudget()
      return try await repeated(batches) { try await retry(budget: budget) {} }
    case .emptyBudget:
      let budget = try RetryBudget(percent: 0, reserve: 1)
      return await repeated(batches) {
        do {
          try await retry(budget: budget) { throw Failure() }
        } catch {}
      }
    case .hedged:
      return try await repeated(batches) { try await hedged(after: .seconds(1)) { _ in } }
    case .fallback:
      return try await repeated(batches) {
        try await withFallback {
        } fallback: { _ in
        }
      }
    case .sharedQuota:
      let limiter = try SharedQuotaLimiter(plenty, name: "benchmark", store: InMemoryStore())
      return try await repeated(batches) { _ = try await limiter.tryAcquire() }
    case .lease:
      let lease = try Lease("benchmark", store: InMemoryStore())
      return try await repeated(batches) { try await lease.run { _ in } }
    case .doneRun:
      let lease = try Lease("benchmark", store: InMemoryStore())
      let instant = WallClock.Instant(offset: .seconds(1))
      return try await repeated(batches) {
        try await lease.runOnce(for: instant, .atLeastOnce) { _ in }
      }
    default:
      let count = Mutex(0)
      return await repeated(batches) {
        count.withLock { $0 += 1 }
        await empty()
        count.withLock { $0 -= 1 }
      }
    }
  }

  private struct Failure: Error {}

  /// More permits than a thread can take.
  private var plenty: Quota {
    .tokenBucket(capacity: 1_000_000, refill: 1_000_000, every: .milliseconds(1))
  }

  @inline(never) private func empty() async {}

  private func repeated(
    _ batches: Int, _ body: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> Measurement {
    try await Measurement.of(batches: batches) {
      for _ in 0..<calls { try await body() }
      return calls
    }
  }
}
