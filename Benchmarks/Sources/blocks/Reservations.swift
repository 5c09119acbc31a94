import Escapement
import Synchronization

/// Requests that are cancelled, one after the other, behind one that waits.
struct Reservations {
  /// How many there are in a batch.
  let count: Int

  func measure(_ subject: Subject, batches: Int) async throws -> Measurement {
    switch subject {
    case .cancelledReservation: try await reserveAndCancel(batches)
    case .replacedReservation: try await replace(of: bucket, batches)
    case .replacedOfSeveral:
      try await replace(of: .all(bucket, .slidingWindow(limit: 1, per: .seconds(60))), batches)
    default: await insertAndRemove(batches)
    }
  }

  private func reserveAndCancel(_ batches: Int) async throws -> Measurement {
    let limiter = try QuotaLimiter(.tokenBucket(capacity: 1, refill: 1, every: .seconds(3600)))
    _ = limiter.tryAcquire()
    _ = try limiter.reserve()
    return try await Measurement.of(batches: batches) {
      for _ in 0..<count { try limiter.reserve().cancel() }
      return count
    }
  }

  /// The first of all requests is cancelled, and a new one has to know its time.
  private func replace(of quota: Quota, _ batches: Int) async throws -> Measurement {
    let limiter = try QuotaLimiter(quota)
    _ = limiter.tryAcquire()
    var reservations = try (0..<count).map { _ in try limiter.reserve() }
    var next = 0
    return try await Measurement.of(batches: batches) {
      for _ in 0..<1_000 {
        reservations[next].cancel()
        reservations[next] = try limiter.reserve()
        next = (next + 1) % count
      }
      return 1_000
    }
  }

  private var bucket: Quota { .tokenBucket(capacity: 1, refill: 3, every: .seconds(3600)) }

  /// What keeps the requests and finds one of them again.
  private func insertAndRemove(_ batches: Int) async -> Measurement {
    let requests = Mutex<[Int: Int]>([0: 1])
    return await Measurement.of(batches: batches) {
      for id in 1...count {
        requests.withLock { $0[id] = 1 }
        requests.withLock { _ = $0.removeValue(forKey: id) }
      }
      return count
    }
  }
}
