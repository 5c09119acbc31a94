import _EscapementCore

/// Gives each key a quota of its own: each user, address or tenant.
///
/// ```swift
/// let limiter = try KeyedQuotaLimiter<String, _>(.slidingWindow(limit: 100, per: .seconds(60)))
/// guard limiter.tryAcquire(for: request.address).isAllowed else { return .tooManyRequests }
/// ```
///
/// A key that has all its permits, and for which nobody waits, is idle: it behaves as one that was
/// never seen, and is evicted. That happens by itself when the number of keys has doubled, so that
/// there are never more than twice as many as there were busy ones, at a constant cost per new key.
public final class KeyedQuotaLimiter<Key: Hashable & Sendable, C: Clock<Duration>>: Sendable {
  /// The quota of each key.
  public let quota: Quota

  /// Unchecked because the count is guarded by the lock.
  private final class Entry: @unchecked Sendable {
    let limiter: QuotaLimiter<C>
    /// How many calls are using the limiter right now; only without any it can be evicted.
    var users = 0

    init(limiter: QuotaLimiter<C>) { self.limiter = limiter }

    func entered() -> Entry {
      users += 1
      return self
    }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    /// How many keys there may be before the idle ones are looked for.
    var evictionCount = 64

    mutating func evictIdle(now: C.Instant) {
      entries = entries.filter { $0.value.users > 0 || !$0.value.limiter.isIdle(at: now) }
      evictionCount = max(64, 2 * entries.count)
    }
  }

  private let algorithm: QuotaAlgorithm
  private let clock: C
  private let state = Lock(State())

  /// Creates a limiter without keys.
  ///
  /// - Parameters:
  ///   - quota: The quota of each key.
  ///   - clock: The clock that measures the time.
  /// - Throws: An error that names the argument of the quota that cannot work.
  public init(_ quota: Quota, clock: C = ContinuousClock()) throws(InvalidArgumentError) {
    algorithm = try quota.makeAlgorithm()
    self.quota = quota
    self.clock = clock
  }

  /// The number of keys that are remembered.
  public var count: Int { state.withLock { $0.entries.count } }

  /// Takes a permit of a key if there is one and nobody waits for it.
  ///
  /// - Returns: How many more there are, or after which time there will be one.
  public func tryAcquire(for key: Key) -> QuotaDecision {
    let entry = enter(key)
    defer { leave(entry) }
    return entry.limiter.tryAcquire()
  }

  /// Takes several permits of a key if there are enough and nobody waits for them.
  ///
  /// - Returns: How many more there are, or after which time there will be enough.
  /// - Throws: An error if so many can never be given.
  public func tryAcquire(_ permits: Int, for key: Key) throws(QuotaError) -> QuotaDecision {
    let entry = enter(key)
    defer { leave(entry) }
    return try entry.limiter.tryAcquire(permits)
  }

  /// Takes permits of a key, and waits for them if need be.
  ///
  /// - Throws: ``QuotaError`` if so many can never be given; `CancellationError` when the task is
  ///   cancelled before it has got them.
  public func acquire(_ permits: Int = 1, for key: Key) async throws {
    let entry = enter(key)
    defer { leave(entry) }
    try await entry.limiter.acquire(permits)
  }

  /// Takes permits of a key, and waits for them if need be, unless they come too late.
  ///
  /// - Throws: ``QuotaError``, at once, if so many can never be given, or if they will not be there
  ///   before the deadline; `CancellationError` when the task is cancelled before it has got them.
  public func acquire(
    _ permits: Int = 1, for key: Key, before deadline: C.Instant
  ) async throws {
    let entry = enter(key)
    defer { leave(entry) }
    try await entry.limiter.acquire(permits, before: deadline)
  }

  /// Forgets all idle keys now.
  ///
  /// - Complexity: O(n) in the number of keys; the other callers have to wait that long.
  public func evictIdle() {
    let now = clock.now
    state.withLock { $0.evictIdle(now: now) }
  }

  private func enter(_ key: Key) -> Entry {
    if let entry = state.withLock({ $0.entries[key]?.entered() }) { return entry }
    // A clock may be anybody's code, and is read outside the lock.
    let now = clock.now
    let new = Entry(limiter: QuotaLimiter(quota, algorithm: algorithm, clock: clock))
    return state.withLock { state in
      if let entry = state.entries[key] { return entry.entered() }
      if state.entries.count >= state.evictionCount { state.evictIdle(now: now) }
      state.entries[key] = new
      return new.entered()
    }
  }

  private func leave(_ entry: Entry) {
    state.withLock { _ in entry.users -= 1 }
  }
}
