/// The state of a quota.
///
/// Instants are nanoseconds since the limiter was created.
///
/// All arithmetic is on integers. So a limiter does not drift and does not round, however long it
/// runs. An instant that is more than 292 years away never comes. The instants that are passed to
/// the methods must not go backwards.
enum QuotaAlgorithm {
  case smooth(SmoothRefill)
  case interval(IntervalRefill)
  case window(SlidingWindow)
  /// Permits are taken from each of these, or from none.
  case all([QuotaAlgorithm])
  /// The state while a method changes another case. It avoids a copy of that case's storage.
  case changing

  /// Takes permits and returns how many remain, or returns `nil` if not enough are available.
  mutating func take(_ permits: Int, at now: Int64) -> Int? {
    switch self {
    case .smooth(var smooth):
      let remaining = smooth.take(permits, at: now)
      self = .smooth(smooth)
      return remaining
    case .interval(var interval):
      let remaining = interval.take(permits, at: now)
      self = .interval(interval)
      return remaining
    case .window(var window):
      self = .changing
      defer { self = .window(window) }
      return window.take(permits, at: now)
    case .all(var all):
      guard earliest(permits, from: now) <= now else { return nil }
      self = .changing
      defer { self = .all(all) }
      // Not `map`, which allocates.
      return all.indices.reduce(Int.max) { min($0, all[$1].take(permits, at: now)!) }
    case .changing:
      preconditionFailure("A quota was changed while another change was in progress.")
    }
  }

  /// Returns the instant at which enough permits will be available, if none are taken until then.
  ///
  /// - Parameters:
  ///   - permits: The number of permits, not more than the capacity.
  ///   - now: The present instant.
  func earliest(_ permits: Int, from now: Int64) -> Int64 {
    switch self {
    case .smooth(let smooth): smooth.earliest(permits, from: now)
    case .interval(let interval): interval.earliest(permits, from: now)
    case .window(let window): window.earliest(permits, from: now)
    // Permits that are available stay so until they are taken.
    case .all(let all): all.reduce(now) { max($0, $1.earliest(permits, from: now)) }
    case .changing: preconditionFailure("A quota was read while a change was in progress.")
    }
  }

  /// Whether all permits are available, as in the beginning.
  func isFull(at now: Int64) -> Bool {
    switch self {
    case .smooth(let smooth): smooth.isFull(at: now)
    case .interval(let interval): interval.isFull(at: now)
    case .window(let window): window.isFull(at: now)
    // The capacity of all together is that of the smallest, which may be full before the others.
    case .all(let all): all.allSatisfy { $0.isFull(at: now) }
    case .changing: preconditionFailure("A quota was read while a change was in progress.")
    }
  }

  /// How many permits are available.
  mutating func available(at now: Int64) -> Int {
    // Nothing is taken, so nothing is refused.
    take(0, at: now)!
  }

  /// Gives permits back that were taken, up to the capacity.
  mutating func credit(_ permits: Int, at now: Int64) {
    _ = available(at: now)
    switch self {
    case .smooth(var smooth):
      smooth.credit(permits, at: now)
      self = .smooth(smooth)
    case .interval(var interval):
      interval.credit(permits)
      self = .interval(interval)
    case .window(var window):
      self = .changing
      window.credit(permits)
      self = .window(window)
    case .all(let all):
      self = .all(
        all.map { algorithm in
          var algorithm = algorithm
          algorithm.credit(permits, at: now)
          return algorithm
        })
    case .changing:
      preconditionFailure("A quota was changed while another change was in progress.")
    }
  }
}

extension QuotaAlgorithm {
  /// Takes all permits, so that none come back sooner than those that are taken now.
  mutating func empty(at now: Int64) {
    switch self {
    case .smooth(var smooth):
      smooth.empty(at: now)
      self = .smooth(smooth)
    case .interval(var interval):
      interval.empty(at: now)
      self = .interval(interval)
    case .window(var window):
      self = .changing
      window.empty(at: now)
      self = .window(window)
    case .all(let all):
      self = .all(
        all.map { algorithm in
          var algorithm = algorithm
          algorithm.empty(at: now)
          return algorithm
        })
    case .changing:
      preconditionFailure("A quota was changed while another change was in progress.")
    }
  }
}

// MARK: - Smooth refill

/// A token bucket that fills evenly, in the form of the generic cell rate algorithm.
///
/// Its only state is the instant at which the bucket will be full again, the "theoretical arrival
/// time". The unit of that instant is so small that a nanosecond is a whole number of units, and so
/// is the time in which one permit comes back.
struct SmoothRefill {
  private let unitsPerNanosecond: Int64
  private let unitsPerPermit: Int64
  private let unitsPerBucket: WideInteger
  var fullAt = WideInteger(0)
  var capacity: Int { Int(unitsPerBucket.dividedSaturating(by: unitsPerPermit)) }

  init(capacity: Int, refill: Int, _ interval: Int64) {
    let divisor = greatestCommonDivisor(Int64(refill), interval)
    unitsPerNanosecond = Int64(refill) / divisor
    unitsPerPermit = interval / divisor
    unitsPerBucket = WideInteger(unitsPerPermit, times: Int64(capacity))
  }

  mutating func take(_ permits: Int, at now: Int64) -> Int? {
    let now = WideInteger(now, times: unitsPerNanosecond)
    let next = max(fullAt, now) + WideInteger(Int64(permits), times: unitsPerPermit)
    let left = now + unitsPerBucket - next
    guard left >= WideInteger(0) else { return nil }
    fullAt = next
    return Int(left.dividedSaturating(by: unitsPerPermit))
  }

  func earliest(_ permits: Int, from now: Int64) -> Int64 {
    let units = fullAt + WideInteger(Int64(permits), times: unitsPerPermit) - unitsPerBucket
    // The bucket was full before time zero.
    guard units > WideInteger(0) else { return now }
    return max(now, nanoseconds(units))
  }
}

extension SmoothRefill {
  /// Whether the bucket misses no more than all of its permits, as it does always.
  func isValid(at now: Int64) -> Bool {
    WideInteger(0) <= fullAt
      && fullAt <= WideInteger(now, times: unitsPerNanosecond) + unitsPerBucket
  }

  func isFull(at now: Int64) -> Bool { fullAt <= WideInteger(now, times: unitsPerNanosecond) }

  mutating func credit(_ permits: Int, at now: Int64) {
    let full = min(fullAt, WideInteger(now, times: unitsPerNanosecond))
    fullAt = max(full, fullAt - WideInteger(Int64(permits), times: unitsPerPermit))
  }

  mutating func empty(at now: Int64) {
    fullAt = WideInteger(now, times: unitsPerNanosecond) + unitsPerBucket
  }

  /// Serves requests that wait; returns the instant of the last one, or `nil` if it depends on
  /// their order.
  ///
  /// A request is served at a whole nanosecond. What has come back by then is not lost, unless the
  /// bucket is full. A request for less than the whole bucket is served before, if permits do not
  /// come faster than nanoseconds.
  mutating func serve(_ requests: WaitingRequests, from now: Int64) -> Int64? {
    guard requests.sumFits, unitsPerPermit >= unitsPerNanosecond - 1 else { return nil }
    if requests.arePartial || unitsPerNanosecond == 1 {
      fullAt = fullAt + WideInteger(Int64(requests.permits), times: unitsPerPermit)
      return earliest(0, from: now)
    }
    guard requests.areWhole else { return nil }
    let first = earliest(requests.capacity, from: now)
    let fillTime = nanoseconds(unitsPerBucket)
    let end = WideInteger(first) + WideInteger(fillTime, times: Int64(requests.count - 1))
    fullAt = WideInteger(end.clamped, times: unitsPerNanosecond) + unitsPerBucket
    return end.clamped
  }

  /// A positive number of units in nanoseconds, rounded up.
  private func nanoseconds(_ units: WideInteger) -> Int64 {
    (units + WideInteger(unitsPerNanosecond - 1)).dividedSaturating(by: unitsPerNanosecond)
  }
}

func greatestCommonDivisor(_ a: Int64, _ b: Int64) -> Int64 {
  var (a, b) = (a, b)
  while b != 0 { (a, b) = (b, a % b) }
  return a
}

// MARK: - Interval refill

/// A token bucket to which all permits of an interval come back at its end.
struct IntervalRefill {
  let capacity: Int
  private let refill: Int
  private let interval: Int64
  var tokens: Int
  var nextRefill: Int64

  init(capacity: Int, refill: Int, _ interval: Int64) {
    self.capacity = capacity
    self.refill = refill
    self.interval = interval
    tokens = capacity
    nextRefill = interval
  }

  mutating func take(_ permits: Int, at now: Int64) -> Int? {
    // A refill at the end of the range never comes.
    if now >= nextRefill, nextRefill < .max {
      let intervals = (now - nextRefill) / interval + 1
      let missing = capacity - tokens
      // The comparison uses a division, because the product may overflow.
      tokens = intervals > missing / refill ? capacity : tokens + Int(intervals) * refill
      nextRefill = (WideInteger(nextRefill) + WideInteger(intervals, times: interval)).clamped
    }
    guard tokens >= permits else { return nil }
    tokens -= permits
    return tokens
  }

  func earliest(_ permits: Int, from now: Int64) -> Int64 {
    guard permits > tokens else { return now }
    let intervals = (permits - tokens + refill - 1) / refill
    let time = WideInteger(nextRefill) + WideInteger(Int64(intervals - 1), times: interval)
    return max(now, time.clamped)
  }
}

extension IntervalRefill {
  /// Whether the numbers are such as there may be.
  func isValid(at now: Int64) -> Bool {
    -refill...capacity ~= tokens && nextRefill > 0 && nextRefill - now <= interval
  }

  func isFull(at now: Int64) -> Bool { earliest(capacity, from: now) <= now }

  mutating func credit(_ permits: Int) {
    tokens += min(permits, capacity - tokens)
  }

  /// A part of the present interval may have passed already, so its end brings no permits.
  mutating func empty(at now: Int64) {
    _ = take(0, at: now)
    tokens = -refill
  }

  /// Serves requests for one permit that wait, and returns the instant of the last one.
  ///
  /// No permit is left, and each refill is used up before the next one.
  mutating func serve(singles count: Int) -> Int64 {
    let each = min(refill, capacity)
    let refills = (count - 1) / each + 1
    tokens = refills * each - count
    let last = WideInteger(nextRefill) + WideInteger(Int64(refills - 1), times: interval)
    nextRefill = (last + WideInteger(interval)).clamped
    return last.clamped
  }
}
