import _EscapementCore

/// Enforces a separate quota for each key, such as a user, an address or a tenant.
///
/// ```swift
/// let limiter = try KeyedQuotaLimiter<String, _>(.slidingWindow(limit: 100, per: .seconds(60)))
/// guard limiter.tryAcquire(for: request.address).isAllowed else { return .tooManyRequests }
/// ```
///
/// A key is idle when it has all its permits and no task waits for it. An idle key behaves like a new
/// one, so the limiter can evict it. It does so when the number of keys has doubled since the last
/// eviction. So the number of keys is at most twice the number of busy ones (or 64), and the cost per
/// new key is constant.
public final class KeyedQuotaLimiter<Key: Hashable & Sendable, C: Clock<Duration>>: Sendable {
  /// The quota of each key.
  public let quota: Quota

  /// Unchecked because the count is guarded by the lock.
  private final class Entry: @unchecked Sendable {
    let limiter: QuotaLimiter<C>
    /// How many calls use the limiter now.
    ///
    /// It can be evicted only while there are none.
    var users = 0

    init(limiter: QuotaLimiter<C>) { self.limiter = limiter }

    func entered() -> Entry {
      users += 1
      return self
    }
  }

  private struct State {
    var entries: [Key: Entry] = [:]
    /// The number of keys at which the idle ones are evicted.
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
  /// - Throws: `InvalidArgumentError`, which names the argument of the quota that is not valid.
  public init(_ quota: Quota, clock: C = ContinuousClock()) throws(InvalidArgumentError) {
    algorithm = try quota.makeAlgorithm()
    self.quota = quota
    self.clock = clock
  }

  /// The number of keys that the limiter stores.
  public var count: Int { state.withLock { $0.entries.count } }

  /// Takes a permit of a key if one is available and no task waits for it.
  ///
  /// - Returns: How many permits remain, or after which time one will be available.
  public func tryAcquire(for key: Key) -> QuotaDecision {
    let entry = enter(key)
    defer { leave(entry) }
    return entry.limiter.tryAcquire()
  }

  /// Takes several permits of a key if enough are available and no task waits for them.
  ///
  /// - Returns: How many permits remain, or after which time enough will be available.
  /// - Throws: ``QuotaError`` if the limiter can never grant that many permits.
  public func tryAcquire(_ permits: Int, for key: Key) throws(QuotaError) -> QuotaDecision {
    let entry = enter(key)
    defer { leave(entry) }
    return try entry.limiter.tryAcquire(permits)
  }

  /// Takes permits of a key, and waits until enough are available.
  ///
  /// - Throws: ``QuotaError`` if the limiter can never grant that many permits; `CancellationError` when
  ///   the task is cancelled before it has got them.
  public func acquire(_ permits: Int = 1, for key: Key) async throws {
    let entry = enter(key)
    defer { leave(entry) }
    try await entry.limiter.acquire(permits)
  }

  /// Takes permits of a key, and waits until enough are available, but not beyond a deadline.
  ///
  /// - Throws: ``QuotaError``, at once, if the limiter can never grant that many permits, or will grant
  ///   them only after the deadline; `CancellationError` when the task is cancelled before it has got
  ///   them.
  public func acquire(
    _ permits: Int = 1, for key: Key, before deadline: C.Instant
  ) async throws {
    let entry = enter(key)
    defer { leave(entry) }
    try await entry.limiter.acquire(permits, before: deadline)
  }

  /// Evicts all idle keys now.
  ///
  /// - Complexity: O(n) in the number of keys. Other callers wait in the meantime.
  public func evictIdle() {
    let now = clock.now
    state.withLock { $0.evictIdle(now: now) }
  }

  private func enter(_ key: Key) -> Entry {
    if let entry = state.withLock({ $0.entries[key]?.entered() }) { return entry }
    // A clock may be user code, so the limiter reads it outside the lock.
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
