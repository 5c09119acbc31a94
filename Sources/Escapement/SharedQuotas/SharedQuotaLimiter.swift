import _EscapementCore

/// Enforces a quota that many processes share, through a store such as Redis or PostgreSQL.
///
/// ```swift
/// let limiter = try SharedQuotaLimiter(
///   .tokenBucket(capacity: 20, refill: 10, every: .seconds(1)), name: "api", store: store)
/// guard try await limiter.tryAcquire(for: user).isAllowed else { return .tooManyRequests }
/// ```
///
/// - **Exact.** The store makes the decisions, one after the other and with its clock. However many
///   processes ask, they never get more permits than the quota grants, counted at the instants of
///   the decisions. The arithmetic is that of ``QuotaLimiter``, in microseconds.
/// - **One round trip.** While two calls for a key are under way, the requests of this process that
///   come meanwhile wait, and the next call decides all of them. Only if it cannot grant all of
///   them, further calls follow. A call has the task-local values of the request that made the
///   first one.
/// - **Keys.** Each key has its own quota. A quota that is full takes no memory in Redis. A key may
///   have up to 1,000 bytes in UTF-8, none of them 0, because PostgreSQL can index and store no
///   others.
/// - **Intervals.** A quota that refills in intervals refills at the multiples of the interval
///   since 1970.
/// - **Order.** Tasks of one process that wait for the same key get their permits first come, first
///   served. Between processes, the store answers the first one that asks.
/// - **No permit is lost.** If the answer comes when its caller has been cancelled or has given up,
///   the permits go to the next caller with the same key in this process. They expire after the
///   timeout.
public final class SharedQuotaLimiter<C: Clock<Duration>>: Sendable {
  /// The quota of each key.
  public var quota: Quota { shared.quota }

  private let shared: SharedQuota
  private let prefix: String
  private let store: any SharedStore
  private let timeout: Duration
  private let policy: UnavailableStorePolicy
  private let share: KeyedQuotaLimiter<String, C>?
  private let onEvent: (@Sendable (_ key: String, BlockEvent) -> Void)?
  private let maximumRequests: Int
  private let clock: C
  private let origin: C.Instant
  private let state: Lock<SharedQuotaStateMachine<Request>>

  /// The decision that a caller waits for.
  private typealias Request = FirstResult<QuotaDecision>
  private let turns = Lock<[String: Turns]>([:])

  /// The tasks that wait for the permits of a key.
  private struct Turns {
    let limiter: ConcurrencyLimiter<C>
    var users: Int
  }

  /// Creates a limiter.
  ///
  /// - Parameters:
  ///   - quota: The quota of each key, in whole microseconds. Limiters with the same name and
  ///     different quotas do not share permits. So a process with a new quota begins with a full
  ///     one.
  ///   - name: The name of the limiter in the store; with the numbers of the quota, up to 1,000
  ///     bytes.
  ///   - store: The store.
  ///   - policy: What to decide while the store does not answer.
  ///   - timeout: How long a decision waits for the store; positive.
  ///   - maximumRequests: How many requests may wait for the store; further ones are decided by the
  ///     policy at once.
  ///   - clock: The clock that measures the timeout and the waits.
  ///   - onEvent: Called for each event of a request, with its key.
  /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
  public init(
    _ quota: Quota, name: String, store: some SharedStore,
    whenUnavailable policy: UnavailableStorePolicy = .deny(retryAfter: .seconds(1)),
    timeout: Duration = .seconds(1), maximumRequests: Int = 1_000, clock: C = ContinuousClock(),
    onEvent: (@Sendable (_ key: String, BlockEvent) -> Void)? = nil
  ) throws(InvalidArgumentError) {
    guard timeout > .zero else {
      throw InvalidArgumentError("timeout", timeout, mustBe: "positive")
    }
    guard maximumRequests > 0 else {
      throw InvalidArgumentError("maximumRequests", maximumRequests, mustBe: "positive")
    }
    if case .deny(let time) = policy, time <= .zero {
      throw InvalidArgumentError("retryAfter", time, mustBe: "positive")
    }
    shared = try SharedQuota(quota)
    if case .localShare(let processes) = policy {
      share = try KeyedQuotaLimiter(try quota.share(of: processes), clock: clock)
    } else {
      share = nil
    }
    let description = shared.parts.map(String.init).joined(separator: ",")
    // Both are in each key.
    try checkStoreKey("\(name):\(description)", argument: "name")
    prefix = "escapement:quota:\(name):\(description):"
    self.store = store
    self.policy = policy
    let timeout = min(timeout, .seconds(86_400))
    self.timeout = timeout
    self.onEvent = onEvent
    self.maximumRequests = maximumRequests
    self.clock = clock
    origin = clock.now
    state = Lock(
      SharedQuotaStateMachine(
        capacity: quota.capacity, maximumRequests: maximumRequests,
        timeout: timeout.nanosecondsRoundedUp))
  }
}

// MARK: - Acquiring

extension SharedQuotaLimiter {
  /// Takes permits of a key if the store grants them now.
  ///
  /// - Parameters:
  ///   - permits: The number of permits, up to the capacity of the quota.
  ///   - key: The key.
  /// - Returns: How many permits remained at the time of the decision (if the store did not make
  ///   it: of the local share, or 0), or after which time enough will be available.
  /// - Throws: ``QuotaError`` if the limiter can never grant that many permits;
  ///   `InvalidArgumentError` if the key is too long or contains a 0; `CancellationError` when the
  ///   task is cancelled before the answer.
  public func tryAcquire(_ permits: Int = 1, for key: String = "") async throws -> QuotaDecision {
    try quota.check(permits)
    try checkStoreKey(key, argument: "key")
    let observer = EventObserver(of: key, onEvent)
    let decision = try await observer.admit { try await decide(permits, key) }
    observer.tell(decision, permits: permits)
    return decision
  }

  /// Takes permits of a key, and waits until the store grants them.
  ///
  /// While it waits, it holds no permits. When the time has come that the store has named, it asks
  /// again.
  ///
  /// - Parameters:
  ///   - permits: The number of permits, up to the capacity of the quota.
  ///   - key: The key.
  ///   - deadline: The latest instant at which the permits are of use; `nil` if there is none. The
  ///     answer of the store may come up to one timeout later.
  /// - Throws: ``QuotaError`` if the limiter can never grant that many permits, or at once if it
  ///   will grant them only after the deadline, also when the deadline has passed already;
  ///   ``DeadlineExpiredError`` if the deadline passes while other tasks of this process take their
  ///   turn; `InvalidArgumentError` if the key is too long or contains a 0; `CancellationError`
  ///   when the task is cancelled.
  public func acquire(
    _ permits: Int = 1, for key: String = "", before deadline: C.Instant? = nil
  ) async throws {
    try quota.check(permits)
    try checkStoreKey(key, argument: "key")
    let observer = EventObserver(of: key, onEvent)
    try await observer.admit {
      try await observer.wait(on: clock) { try await wait(for: permits, key, before: deadline) }
    }
    observer.tell(.granted(permits))
  }

  private func wait(for permits: Int, _ key: String, before deadline: C.Instant?) async throws {
    let turns = enter(key)
    defer { leave(key) }
    // The last answer may take until the timeout.
    try await withDeadline(deadline?.advanced(by: timeout), clock: clock) {
      try await turns.run {
        while true {
          // Permits are of no use after the deadline, even if they are available.
          if let deadline, clock.now > deadline {
            throw QuotaError.deadlineUnreachable(retryAfter: .zero)
          }
          guard case .denied(let wait) = try await decide(permits, key) else { return }
          let readyAt = clock.instant(in: wait)
          if let deadline, readyAt > deadline {
            throw QuotaError.deadlineUnreachable(retryAfter: wait)
          }
          try await clock.sleep(until: readyAt, tolerance: nil)
        }
      }
    }
  }

  private func enter(_ key: String) -> ConcurrencyLimiter<C> {
    turns.withLock { turns in
      if turns[key] == nil {
        // A limit of one is valid.
        turns[key] = Turns(limiter: try! ConcurrencyLimiter(.fixed(1), clock: clock), users: 0)
      }
      turns[key]!.users += 1
      return turns[key]!.limiter
    }
  }

  private func leave(_ key: String) {
    turns.withLock { turns in
      turns[key]!.users -= 1
      if turns[key]!.users == 0 { turns[key] = nil }
    }
  }
}

// MARK: - Asking the store

extension SharedQuotaLimiter {
  private var now: Int64 { origin.duration(to: clock.now).wholeNanoseconds }

  private func decide(_ permits: Int, _ key: String) async throws -> QuotaDecision {
    try Task.checkCancellation()
    let (now, request) = (now, Request())
    let failure: any Error
    switch state.withLock({ $0.begin(permits, for: key, request, now: now) }) {
    case .useSpare:
      return .allowed(remaining: 0)
    case .refuse:
      failure = SharedStoreError.tooManyRequests(maximumRequests)
    case .wait(let id, let call):
      do {
        return try await value(of: request, id, call)
      } catch {
        try Task.checkCancellation()
        failure = error
      }
    }
    onEvent?(key, .storeFailed(failure))
    return decideAlone(permits, key)
  }

  /// Decides without the store.
  private func decideAlone(_ permits: Int, _ key: String) -> QuotaDecision {
    switch policy {
    case .deny(let time): return .denied(retryAfter: time)
    case .allow: return .allowed(remaining: 0)
    case .localShare:
      // A request for more than the share is never granted by it.
      return (try? share!.tryAcquire(permits, for: key)) ?? .denied(retryAfter: timeout)
    }
  }

  /// Makes the call that is due, if any, and waits for the decision until the timeout.
  private func value(
    of request: Request, _ id: Int, _ call: SharedQuotaStateMachine<Request>.Call?
  ) async throws -> QuotaDecision {
    if let call { start(call) }
    // A store in memory has answered already, and needs no timer.
    if let result = request.valueIfSet { return try result.get() }
    watchCalls()
    return try await withTaskCancellationHandler {
      try await request.value
    } onCancel: {
      if request.set(.failure(CancellationError())) { state.withLock { $0.cancelled(id) } }
    }
  }

  /// Starts the task of a call, and of those that follow it.
  ///
  /// A call goes on when its callers have given up, so that its permits are not lost. It is
  /// cancelled after ten times the timeout.
  private func start(_ call: SharedQuotaStateMachine<Request>.Call) {
    call.running.set(
      Task.startingHere(name: "SharedQuotaLimiter") {
        guard let next = await self.perform(call) else { return }
        // If the store did not suspend, this is the thread of the caller, whose decision has been
        // made.
        async let rest: Void = self.performAll(from: next)
        await rest
      })
  }

  private func performAll(from call: SharedQuotaStateMachine<Request>.Call) async {
    var next: SharedQuotaStateMachine<Request>.Call? = call
    while let call = next { next = await perform(call) }
  }

  private func perform(
    _ call: SharedQuotaStateMachine<Request>.Call
  ) async -> SharedQuotaStateMachine<Request>.Call? {
    let command = StoreCommand(call.permits, of: shared, key: prefix + call.key)
    let result: Result<QuotaDecision, any Error>
    do {
      result = .success(try QuotaDecision(reply: try await store.perform(command)))
    } catch {
      result = .failure(error)
    }
    let now = now
    // Permits of a call that was given up are lost: they would be used too long after the decision.
    guard let ended = state.withLock({ $0.ended(call, result, now: now) }) else { return nil }
    ended.watch?.cancel()
    var unused = result.isGrant ? call.permits : 0
    for answer in ended.answers where answer.request.set(answer.result) { unused -= answer.permits }
    if unused > 0 { state.withLock { $0.granted(unused, for: call.key, now: now) } }
    return ended.next
  }

  /// Starts the task that ends calls which take too long, if there is none.
  ///
  /// One task serves all calls, because a timer for each takes longer than many stores. It sleeps
  /// until the first timeout, and ends when it finds no calls. In virtual time, where a task that
  /// is left over is reported, it ends with the last call.
  private func watchCalls() {
    guard state.withLock({ $0.needsWatch }) else { return }
    let watch = CancellableTask()
    let endsWhenIdle = SettlingScope.current != nil
    guard state.withLock({ $0.begins(watch, endsWhenIdle: endsWhenIdle) }) else { return }
    watch.set(
      Task.startingHere(name: "SharedQuotaLimiter timeouts") { [weak self, clock] in
        while let end = self?.endOverdueCalls(watch) {
          guard (try? await clock.sleep(until: end, tolerance: nil)) != nil else {
            self?.state.withLock { $0.cancelled(watch) }
            return
          }
        }
      })
  }

  /// Returns when there may be others, or `nil` if there are no calls.
  private func endOverdueCalls(_ watch: CancellableTask) -> C.Instant? {
    let now = now
    let overdue = state.withLock { $0.overdue(now: now, by: watch) }
    for request in overdue.timedOut {
      request.set(.failure(SharedStoreError.timedOut(after: timeout)))
    }
    for task in overdue.givenUp { task.cancel() }
    // Not here, because a store may block the thread.
    for call in overdue.calls { Task(name: "SharedQuotaLimiter") { self.start(call) } }
    return overdue.next.map { origin.advanced(by: .nanoseconds($0)) }
  }
}

extension Result where Success == QuotaDecision {
  fileprivate var isGrant: Bool { if case .success(.allowed) = self { true } else { false } }
}

extension QuotaDecision {
  /// The decision in the reply of a store.
  init(reply: [Int64]) throws(SharedStoreError) {
    switch (reply.first, reply.count) {
    case (1, 2) where reply[1] >= 0: self = .allowed(remaining: Int(clamping: reply[1]))
    case (0, 2) where reply[1] > 0: self = .denied(retryAfter: .microseconds(reply[1]))
    default: throw .unexpectedReply(reply)
    }
  }
}
