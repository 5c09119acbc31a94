@testable import Escapement

/// The reference model of a quota: it steps through every nanosecond, and stores all permits.
struct QuotaModel {
  enum Kind: CaseIterable {
    case smooth, interval, window
  }

  struct Request {
    let id: Int
    let permits: Int
  }

  let kind: Kind
  let capacity: Int
  let refill: Int
  let interval: Int

  private(set) var now = 0
  private(set) var queue: [Request] = []
  /// The time at which each request was granted.
  private(set) var grants: [Int: Int] = [:]
  /// The times of all permits that were granted in the last interval.
  private(set) var times: [Int] = []
  /// The permits in the bucket.
  ///
  /// For the smooth bucket, multiplied by the interval.
  private var level: Int

  init(kind: Kind, capacity: Int, refill: Int, interval: Int) {
    (self.kind, self.capacity, self.refill, self.interval) = (kind, capacity, refill, interval)
    level = kind == .smooth ? capacity * interval : capacity
  }

  var quota: Quota {
    switch kind {
    case .smooth:
      .tokenBucket(capacity: capacity, refill: refill, every: .nanoseconds(interval))
    case .interval:
      .tokenBucket(
        capacity: capacity, refill: refill, every: .nanoseconds(interval), style: .interval)
    case .window:
      .slidingWindow(limit: capacity, per: .nanoseconds(interval))
    }
  }

  var remaining: Int {
    switch kind {
    case .smooth: level / interval
    case .interval: level
    case .window: capacity - times.count
    }
  }

  mutating func advance(to time: Int) {
    while now < time {
      now = isAtRest ? time : now + 1
      switch kind {
      case .smooth: level = min(level + refill, capacity * interval)
      case .interval: if now.isMultiple(of: interval) { level = min(level + refill, capacity) }
      case .window: while let first = times.first, first <= now - interval { times.removeFirst() }
      }
      if !queue.isEmpty { grantQueue() }
    }
  }

  /// Whether the state no longer changes with time.
  private var isAtRest: Bool {
    guard queue.isEmpty else { return false }
    return kind == .smooth ? level == capacity * interval : remaining == capacity
  }

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
    switch kind {
    case .smooth: level -= permits * interval
    case .interval: level -= permits
    case .window: times += repeatElement(now, count: permits)
    }
  }
}
