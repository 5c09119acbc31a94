import Dispatch
import Escapement
import Foundation
import Synchronization

/// What is called by threads, with no task around it.
struct Threads {
  let count: Int
  let callsEach: Int

  func measure(_ subject: Subject, batches: Int) async throws -> Measurement {
    switch subject {
    case .tokenBucket:
      try await tryAcquire(
        .tokenBucket(capacity: 1_000_000_000, refill: 1_000_000_000, every: .seconds(1)), batches)
    case .slidingWindow:
      try await tryAcquire(.slidingWindow(limit: 1_000_000_000, per: .microseconds(1)), batches)
    case .severalQuotas:
      try await tryAcquire(
        .all(
          .tokenBucket(capacity: 1_000_000_000, refill: 1_000_000_000, every: .seconds(1)),
          .slidingWindow(limit: 1_000_000_000, per: .microseconds(1))), batches)
    case .denied:
      try await tryAcquire(
        .tokenBucket(capacity: 1, refill: 1, every: .seconds(3600)), batches)
    case .credit:
      try await takeAndCredit(
        .tokenBucket(capacity: 1_000_000_000, refill: 1, every: .seconds(3600)), batches)
    case .windowCredit:
      try await takeAndCredit(.slidingWindow(limit: 1_000_000_000, per: .seconds(3600)), batches)
    case .drain:
      try await drain(batches)
    case .keptAction:
      await keptAction(batches)
    case .lockAndTime:
      await lockAndTime(batches)
    default:
      await lock(batches)
    }
  }

  private func tryAcquire(_ quota: Quota, _ batches: Int) async throws -> Measurement {
    let limiter = try QuotaLimiter(quota)
    return await perform(batches) { calls in
      for _ in 0..<calls { _ = limiter.tryAcquire() }
    }
  }

  private func takeAndCredit(_ quota: Quota, _ batches: Int) async throws -> Measurement {
    let limiter = try QuotaLimiter(quota)
    return await perform(batches) { calls in
      for _ in 0..<calls {
        _ = limiter.tryAcquire()
        // One permit is a valid number.
        try! limiter.credit()
      }
    }
  }

  private func drain(_ batches: Int) async throws -> Measurement {
    let limiter = try QuotaLimiter(
      .tokenBucket(capacity: 1_000_000_000, refill: 1_000_000_000, every: .seconds(1)))
    return await perform(batches) { calls in
      for _ in 0..<calls { limiter.drain() }
    }
  }

  private func keptAction(_ batches: Int) async -> Measurement {
    let limiter = RateLimiter(rate: .seconds(3600))
    limiter.execute {}
    return await perform(batches) { calls in
      for _ in 0..<calls { limiter.execute {} }
    }
  }

  private func lock(_ batches: Int) async -> Measurement {
    let counter = Counter(0)
    return await perform(batches) { calls in
      for _ in 0..<calls { counter.value.withLock { $0 &+= 1 } }
    }
  }

  private func lockAndTime(_ batches: Int) async -> Measurement {
    let counter = Counter(Duration.zero)
    let origin = ContinuousClock.now
    return await perform(batches) { calls in
      for _ in 0..<calls {
        let now = origin.duration(to: .now)
        counter.value.withLock { $0 = now }
      }
    }
  }

  private func perform(
    _ batches: Int, _ body: @escaping @Sendable (_ calls: Int) -> Void
  ) async -> Measurement {
    await Measurement.of(batches: batches) {
      run(body)
      return count * callsEach
    }
  }

  /// Returns when all threads are done, which begin together.
  private func run(_ body: @escaping @Sendable (_ calls: Int) -> Void) {
    guard count > 1 else { return body(callsEach) }
    let (done, arrived) = (DispatchGroup(), Counter(0))
    for _ in 0..<count {
      done.enter()
      Thread.detachNewThread {
        arrived.value.withLock { $0 += 1 }
        while arrived.value.withLock({ $0 < count }) {}
        body(callsEach)
        done.leave()
      }
    }
    done.wait()
  }

  private final class Counter<Value: Sendable>: Sendable {
    let value: Mutex<Value>
    init(_ value: Value) { self.value = Mutex(value) }
  }
}
