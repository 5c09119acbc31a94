import BenchmarkSupport
import Escapement
import Synchronization

/// A quota for each of many keys, which come one after the other.
struct KeyedLimiters {
  /// The number of keys.
  let count: Int

  @concurrent func measure(_ subject: Subject) async throws -> Measurement {
    switch subject {
    case .newKeys:
      return try await measureEach {
        let limiter = try makeLimiter(every: .seconds(3600))
        return { _ = limiter.tryAcquire(for: $0) }
      }
    case .knownKeys:
      return try await measureEach {
        let limiter = try makeLimiter(every: .seconds(3600))
        for key in 0..<count { _ = limiter.tryAcquire(for: key) }
        return { _ = limiter.tryAcquire(for: $0) }
      }
    case .newTexts:
      // The keys themselves are made before, and are not counted.
      let keys = makeTexts()
      return try await measureEach {
        let limiter = try KeyedQuotaLimiter<String, ContinuousClock>(
          .tokenBucket(capacity: 1, refill: 1, every: .seconds(3600)))
        return { _ = limiter.tryAcquire(for: keys[$0]) }
      }
    case .textArray:
      let keys = makeTexts()
      return await measureEach {
        let copies = Entries()
        copies.texts.withLock { $0.reserveCapacity(count) }
        return { key in copies.texts.withLock { $0.append(keys[key]) } }
      }
    case .eviction:
      // All keys are idle, and the calls evict nearly all of them.
      return try await measureEach {
        let limiter = try makeLimiter(every: .milliseconds(1))
        for key in 0..<count { _ = limiter.tryAcquire(for: key) }
        try await Task.sleep(for: .milliseconds(10))
        return { _ = limiter.tryAcquire(for: $0 & 1023) }
      }
    default:
      return await measureEach {
        let entries = Entries()
        return { key in
          let now = ContinuousClock.now
          entries.last.withLock { $0[key] = now }
        }
      }
    }
  }

  /// Keys of 24 characters, each of which has its own storage.
  private func makeTexts() -> [String] {
    (0..<count).map { "client-" + String($0 + 10_000_000_000_000_000) }
  }

  private func makeLimiter(every interval: Duration) throws -> KeyedQuotaLimiter<
    Int, ContinuousClock
  > {
    try KeyedQuotaLimiter(.tokenBucket(capacity: 1, refill: 1, every: interval))
  }

  private final class Entries: Sendable {
    let last = Mutex<[Int: ContinuousClock.Instant]>([:])
    let texts = Mutex<[String]>([])
  }

  /// Makes the calls several times, each time with new keys.
  ///
  /// Of each call the shortest time counts, because the system may interrupt any call, but not the same
  /// one each time. The slowest call is the longest of these times.
  private func measureEach(
    _ make: nonisolated(nonsending) () async throws -> (Int) -> Void
  ) async rethrows -> Measurement {
    var shortest = [Duration](repeating: .seconds(3600), count: count)
    var totals: [Double] = []
    var bytes: Double?
    for round in 0..<5 {
      let before = ResidentMemory.bytes
      let call = try await make()
      let start = ContinuousClock.now
      var last = start
      for key in 0..<count {
        call(key)
        let now = ContinuousClock.now
        shortest[key] = min(shortest[key], last.duration(to: now))
        last = now
      }
      totals.append(start.duration(to: last).nanoseconds / Double(count))
      // Later rounds use the memory of the first one again.
      if round == 0, let before, let after = ResidentMemory.bytes {
        bytes = Double(after - before) / Double(count)
      }
    }
    return Measurement(
      nanoseconds: totals.median, allocations: nil, bytes: bytes,
      slowest: shortest.max()?.nanoseconds)
  }
}
