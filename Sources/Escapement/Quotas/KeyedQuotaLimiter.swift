import _EscapementCore

/// Enforces a separate quota for each key, such as a user, an address or a tenant.
///
/// ```swift
/// let limiter = try KeyedQuotaLimiter<String, _>(.slidingWindow(limit: 100, per: .seconds(60)))
/// guard limiter.tryAcquire(for: request.address).isAllowed else { return .tooManyRequests }
/// ```
///
/// - **Eviction.** A key is idle when it has all its permits and no task waits for it. An idle key
///   behaves exactly like a new one, so the limiter evicts it. It does so in small steps, a few
///   keys at each call, whichever key that call names. So no call takes long.
/// - **Time.** All keys count time from the creation of the limiter. With a quota that refills in
///   intervals, all keys refill at the same instants.
/// - **Memory.** A key of a token bucket takes less than 90 bytes beside the key itself. A sliding
///   window also stores the times of its permits.
/// - **Threads.** The keys are spread over 16 locks, so that calls for different keys rarely wait
///   for each other.
///
/// - Complexity: `tryAcquire` is O(1). For a sliding window, that is amortised over the permits.
public final class KeyedQuotaLimiter<Key: Hashable & Sendable, C: Clock<Duration>>: Sendable {
  /// The quota of each key at present.
  public var quota: Quota { shards[0].state.withLock { $0.quota } }

  /// The limiter of a key for which a task waits.
  private struct Waiting {
    let limiter: QuotaLimiter<C>
    /// How many calls use the limiter now.
    var users: Int
  }

  private struct Shard {
    var quota: Quota
    /// The quota of a new key.
    var algorithm: QuotaAlgorithm
    var memories = KeyTable<Key, QuotaMemory>()
    /// The keys for which a task waits, and which have no memory.
    var waiting: [Key: Waiting] = [:]
    /// The latest instant that the shard was told, because time does not move back.
    var settledUntil: Int64 = 0
    private var callsUntilSweep = callsPerSweep
    private var nextSweep = 0

    var capacity: Int

    init(quota: Quota, algorithm: QuotaAlgorithm) {
      (self.quota, self.algorithm, capacity) = (quota, algorithm, quota.capacity)
    }

    mutating func take(_ permits: Int, _ key: Key, _ hash: Int, now: Int64) -> QuotaDecision {
      let (quota, settled) = (algorithm, settledUntil)
      return Self.take(permits, of: quota, &memories[key, hash], at: settled, now: now)
    }

    private static func take(
      _ permits: Int, of quota: QuotaAlgorithm, _ memory: inout QuotaMemory?, at settled: Int64,
      now: Int64
    ) -> QuotaDecision {
      // Takes the memory out, because a sliding window would be copied otherwise.
      var algorithm = memory.take().map(quota.recalling) ?? quota
      defer { memory = algorithm.memory }
      if let remaining = algorithm.take(permits, at: settled) {
        return .allowed(remaining: remaining)
      }
      let readyAt = algorithm.earliest(permits, from: settled)
      return .denied(retryAfter: .nanoseconds(readyAt) - .nanoseconds(now))
    }

    mutating func replace(
      _ quota: Quota, _ algorithm: QuotaAlgorithm, now: Int64
    ) -> [(QuotaLimiter<C>, [QuotaLimiter<C>.Refusal])] {
      let previous = self.algorithm
      settledUntil = max(settledUntil, now)
      let settled = settledUntil
      memories.replaceValues { memory in
        var inherited = algorithm
        inherited.inherit(from: previous.recalling(memory), at: settled)
        return inherited.memory
      }
      (self.quota, self.algorithm, capacity) = (quota, algorithm, quota.capacity)
      return waiting.values.map {
        ($0.limiter, $0.limiter.replace(quota, algorithm, now: settled))
      }
    }

    func isIdle(_ memory: QuotaMemory) -> Bool {
      algorithm.recalling(memory).isFull(at: settledUntil)
    }

    /// A sweep visits about 128 keys, so a call visits 4.
    private static var callsPerSweep: Int { 32 }

    /// Counts a call, and returns the shard to sweep after it, if one is due.
    ///
    /// Each shard sweeps all shards in turn. A shard whose keys are never called loses its idle
    /// keys, too.
    mutating func countCall(shards: Int) -> Int? {
      callsUntilSweep -= 1
      guard callsUntilSweep == 0 else { return nil }
      callsUntilSweep = Shard.callsPerSweep
      nextSweep = (nextSweep + 1) % shards
      return nextSweep
    }
  }

  private static var shardBits: Int { 4 }

  private let clock: C
  private let origin: C.Instant
  private let onEvent: (@Sendable (Key, BlockEvent) -> Void)?
  private let shards: [ShardLock]
  /// One quota takes the place of another in all shards before a third one does.
  private let replacement = Lock(())

  /// An object, because a lock cannot be copied into an array.
  private final class ShardLock: Sendable {
    let state: Lock<Shard>

    init(_ quota: Quota, _ algorithm: QuotaAlgorithm) {
      state = Lock(Shard(quota: quota, algorithm: algorithm))
    }
  }

  /// Creates a limiter without keys.
  ///
  /// - Parameters:
  ///   - quota: The quota of each key.
  ///   - clock: The clock that measures the time.
  ///   - onEvent: Called for each event of a request, with its key.
  /// - Throws: `InvalidArgumentError`, which names the argument of the quota that is not valid.
  public init(
    _ quota: Quota, clock: C = ContinuousClock(),
    onEvent: (@Sendable (Key, BlockEvent) -> Void)? = nil
  ) throws(InvalidArgumentError) {
    let algorithm = try quota.makeAlgorithm()
    self.clock = clock
    self.onEvent = onEvent
    origin = clock.now
    shards = (0..<1 << Self.shardBits).map { _ in ShardLock(quota, algorithm) }
  }

  /// The number of keys that the limiter stores.
  ///
  /// Idle keys that have not been evicted yet are among them.
  public var count: Int {
    shards.reduce(0) { $0 + $1.state.withLock { $0.memories.count + $0.waiting.count } }
  }

  /// Takes a permit of a key if one is available and no task waits for it.
  ///
  /// - Returns: How many permits remain, or after which time one will be available.
  public func tryAcquire(for key: Key) -> QuotaDecision {
    // Each quota can grant one permit.
    try! take(1, for: key).get()
  }

  /// Takes several permits of a key if enough are available and no task waits for them.
  ///
  /// - Returns: How many permits remain, or after which time enough will be available.
  /// - Throws: ``QuotaError`` if the limiter can never grant that many permits.
  public func tryAcquire(_ permits: Int, for key: Key) throws(QuotaError) -> QuotaDecision {
    try take(permits, for: key).get()
  }

  /// Takes permits of a key, and waits until enough are available.
  ///
  /// - Throws: ``QuotaError`` if the limiter can never grant that many permits; `CancellationError`
  ///   when the task is cancelled before it has got them.
  public func acquire(_ permits: Int = 1, for key: Key) async throws {
    let limiter = enter(key)
    defer { leave(key) }
    try await limiter.acquire(permits)
  }

  /// Takes permits of a key, and waits until enough are available, but not beyond a deadline.
  ///
  /// - Throws: ``QuotaError``, at once, if the limiter can never grant that many permits, or will
  ///   grant them only after the deadline; `CancellationError` when the task is cancelled before it
  ///   has got them.
  public func acquire(
    _ permits: Int = 1, for key: Key, before deadline: C.Instant
  ) async throws {
    let limiter = enter(key)
    defer { leave(key) }
    try await limiter.acquire(permits, before: deadline)
  }

  /// How many permits of a key a request could take now.
  public func remaining(for key: Key) -> Int {
    let limiter = enter(key)
    defer { leave(key) }
    return limiter.remaining
  }

  /// Gives back permits of a key that were taken and not used, up to the capacity.
  ///
  /// - Throws: ``QuotaError/invalidRequest(permits:)`` if the number is not positive.
  public func credit(_ permits: Int = 1, for key: Key) throws(QuotaError) {
    let limiter = enter(key)
    defer { leave(key) }
    try limiter.credit(permits)
  }

  /// Evicts all idle keys now.
  ///
  /// Other callers do not wait for all of it, because it is done in small steps.
  ///
  /// - Complexity: O(n) in the number of keys.
  public func evictIdle() {
    let now = now
    for shard in shards {
      for _ in 0..<shard.state.withLock({ $0.memories.partCount }) {
        shard.state.withLock { sweep(&$0, now: now) }
      }
    }
  }
}

// MARK: - Changing the quota

extension KeyedQuotaLimiter {
  /// Goes on with another quota for each key, for example after the configuration has changed.
  ///
  /// For each key it is as for ``QuotaLimiter/replaceQuota(with:)``.
  ///
  /// - Parameter quota: The new quota.
  /// - Throws: `InvalidArgumentError`, which names the argument of the quota that is not valid.
  /// - Complexity: O(n) in the number of keys. Another caller waits for at most a sixteenth of them.
  public func replaceQuota(with quota: Quota) throws(InvalidArgumentError) {
    let algorithm = try quota.makeAlgorithm()
    let now = now
    let refusals = replacement.withLock { _ in
      shards.flatMap { $0.state.withLock { $0.replace(quota, algorithm, now: now) } }
    }
    for (limiter, refusals) in refusals { limiter.refuse(refusals) }
  }
}

// MARK: - Keys

extension KeyedQuotaLimiter {
  private var now: Int64 { origin.duration(to: clock.now).wholeNanoseconds }

  /// The shard of a key, and the rest of its hash.
  private func place(of key: Key) -> (shard: ShardLock, hash: Int) {
    let hash = KeyTable<Key, QuotaMemory>.hash(of: key)
    // The table uses the lowest bits.
    return (shards[Int(UInt(bitPattern: hash) >> (UInt.bitWidth - Self.shardBits))], hash)
  }

  private func take(_ permits: Int, for key: Key) -> Result<QuotaDecision, QuotaError> {
    let decision = withShard(of: key) { state, now, hash -> Result<QuotaDecision, QuotaError>? in
      do throws(QuotaError) {
        try Quota.check(permits, capacity: state.capacity)
      } catch {
        return .failure(error)
      }
      // The limiter of a key for which a task waits has to resume tasks, outside the lock.
      guard state.waiting.isEmpty || state.waiting[key] == nil else { return nil }
      return .success(state.take(permits, key, hash, now: now))
    }
    if let decision {
      // The key is not copied for nobody.
      if onEvent != nil, case .success(let decision) = decision {
        EventObserver(of: key, onEvent).tell(decision, permits: permits)
      }
      return decision
    }
    let limiter = enter(key)
    defer { leave(key) }
    // It checks the number once more, since the quota may have been replaced.
    return Result { () throws(QuotaError) in try limiter.tryAcquire(permits) }
  }

  /// Runs `body` with the shard of a key, moved to the present, and then evicts a few idle keys.
  private func withShard<Result>(
    of key: Key, _ body: (_ shard: inout Shard, _ now: Int64, _ hash: Int) -> Result
  ) -> Result {
    let (now, place) = (now, place(of: key))
    let (result, idle) = place.shard.state.withLock { state in
      state.settledUntil = max(state.settledUntil, now)
      return (body(&state, now, place.hash), state.countCall(shards: shards.count))
    }
    if let idle { shards[idle].state.withLock { sweep(&$0, now: now) } }
    return result
  }

  /// Moves a shard to the present, and evicts a few idle keys.
  private func sweep(_ state: inout Shard, now: Int64) {
    state.settledUntil = max(state.settledUntil, now)
    let (algorithm, settled) = (state.algorithm, state.settledUntil)
    state.memories.sweep { !algorithm.recalling($0).isFull(at: settled) }
  }

  /// Returns the limiter of a key, until the caller leaves it.
  private func enter(_ key: Key) -> QuotaLimiter<C> {
    withShard(of: key) { state, _, hash in
      if state.waiting[key] != nil {
        state.waiting[key]!.users += 1
        return state.waiting[key]!.limiter
      }
      let memory = state.memories[key, hash].take()
      let limiter = QuotaLimiter(
        state.quota, algorithm: memory.map(state.algorithm.recalling) ?? state.algorithm,
        clock: clock,
        origin: origin, settledUntil: state.settledUntil,
        onEvent: EventObserver(of: key, onEvent).onEvent)
      state.waiting[key] = Waiting(limiter: limiter, users: 1)
      return limiter
    }
  }

  private func leave(_ key: Key) {
    withShard(of: key) { state, _, hash in
      state.waiting[key]!.users -= 1
      guard state.waiting[key]!.users == 0 else { return }
      let memory = state.waiting.removeValue(forKey: key)!.limiter.memory
      if !state.isIdle(memory) { state.memories[key, hash] = memory }
    }
  }
}
