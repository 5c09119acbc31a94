import TestSupport
import _EscapementCore

@testable import Escapement

/// The reference model of a quota: it steps through every nanosecond, and stores all permits.
struct QuotaModel {
  struct Request {
    let id: Int
    let permits: Int
  }

  /// Each permit is taken from all of them.
  private var buckets: [QuotaModelBucket]

  private(set) var now = 0
  private(set) var queue: [Request] = []
  /// The time at which each request was granted.
  private(set) var grants: [Int: Int] = [:]

  init(using generator: inout SplitMix64) {
    let count = Int.random(in: 1...3, using: &generator)
    buckets = (0..<count).map { _ in QuotaModelBucket(using: &generator) }
  }

  var capacity: Int { buckets.map(\.capacity).min()! }

  var remaining: Int { buckets.map(\.remaining).min()! }

  var quota: Quota { quota(unit: .nanoseconds(1)) }

  /// The quota with this duration in place of a nanosecond.
  func quota(unit: Duration) -> Quota {
    let quotas = buckets.map { $0.quota(unit: unit) }
    return quotas.count == 1 ? quotas[0] : Quota(kind: .all(quotas))
  }

  mutating func advance(to time: Int) {
    while now < time {
      now = isAtRest ? time : now + 1
      for index in buckets.indices { buckets[index].refill(at: now) }
      if !queue.isEmpty { grantQueue() }
    }
  }

  /// Whether the state no longer changes with time.
  private var isAtRest: Bool { queue.isEmpty && buckets.allSatisfy(\.isFull) }

  mutating func tryAcquire(_ permits: Int) -> Bool {
    guard queue.isEmpty, remaining >= permits else { return false }
    take(permits)
    return true
  }

  mutating func enqueue(_ id: Int, _ permits: Int) {
    queue.append(Request(id: id, permits: permits))
    grantQueue()
  }

  mutating func cancel(_ id: Int) -> Bool {
    guard let index = queue.firstIndex(where: { $0.id == id }) else { return false }
    queue.remove(at: index)
    grantQueue()
    return true
  }

  /// The time at which a request that joined the queue now would be granted.
  func readyAt(_ permits: Int) -> Int {
    if queue.isEmpty, remaining >= permits { return now }
    var future = self
    future.enqueue(-1, permits)
    while !future.queue.isEmpty { future.advance(to: future.now + 1) }
    return future.now
  }

  private mutating func grantQueue() {
    while let first = queue.first, remaining >= first.permits {
      take(first.permits)
      grants[first.id] = now
      queue.removeFirst()
    }
  }

  private mutating func take(_ permits: Int) {
    for index in buckets.indices { buckets[index].take(permits, at: now) }
  }
}

/// One of the quotas of a model.
struct QuotaModelBucket {
  enum Kind: CaseIterable {
    case smooth, interval, window
  }

  private let kind: Kind
  let capacity: Int
  private let refill: Int
  private let interval: Int
  /// The times of all permits that were granted in the last interval.
  private var times: [Int] = []
  /// The permits in the bucket.
  ///
  /// For the smooth bucket, multiplied by the interval.
  private var level: Int

  init(using generator: inout SplitMix64) {
    kind = .allCases.randomElement(using: &generator)!
    capacity = .random(in: 1...6, using: &generator)
    refill = .random(in: 1...8, using: &generator)
    interval = .random(in: 1...20, using: &generator)
    level = kind == .smooth ? capacity * interval : capacity
  }

  func quota(unit: Duration) -> Quota {
    switch kind {
    case .smooth:
      .tokenBucket(capacity: capacity, refill: refill, every: unit * interval)
    case .interval:
      .tokenBucket(capacity: capacity, refill: refill, every: unit * interval, style: .interval)
    case .window:
      .slidingWindow(limit: capacity, per: unit * interval)
    }
  }

  var remaining: Int {
    switch kind {
    case .smooth: level / interval
    case .interval: level
    case .window: capacity - times.count
    }
  }

  var isFull: Bool { kind == .smooth ? level == capacity * interval : remaining == capacity }

  mutating func refill(at now: Int) {
    switch kind {
    case .smooth: level = min(level + refill, capacity * interval)
    case .interval: if now.isMultiple(of: interval) { level = min(level + refill, capacity) }
    case .window: while let first = times.first, first <= now - interval { times.removeFirst() }
    }
  }

  mutating func take(_ permits: Int, at now: Int) {
    switch kind {
    case .smooth: level -= permits * interval
    case .interval: level -= permits
    case .window: times += repeatElement(now, count: permits)
    }
  }
}
