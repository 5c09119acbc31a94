import _EscapementCore

/// Grants permits up to a quota, and refuses or delays callers that ask for more (servers
/// call this a rate limiter).
///
/// ```swift
/// let limiter = try QuotaLimiter(.tokenBucket(capacity: 20, refill: 10, every: .seconds(1)))
/// guard limiter.tryAcquire().isAllowed else { return .tooManyRequests }
/// ```
///
/// - **First come, first served.** Callers get their permits in the order of their requests. A
///   small request does not overtake a large one.
/// - **No permit is lost.** When a waiting task is cancelled, the tasks behind it move up at once.
///   A task that has got its permits does not throw `CancellationError`.
/// - **Exact.** All arithmetic is on integers. The limiter counts time in whole nanoseconds since
///   its creation. If the clock moves backwards, the time of the limiter stands still.
///
/// - Complexity: `tryAcquire` is O(1) and does not allocate while no task waits. For a sliding
///   window, that is amortised over the permits. A call that is told its time while requests wait
///   is O(1). It may be O(n) in those requests if `credit`, `drain` or `replaceQuota` has been
///   called since the last such call, or if one of them has been cancelled since, and they ask for
///   different numbers of permits.
public final class QuotaLimiter<C: Clock<Duration>>: Sendable {
  /// The quota at present.
  public var quota: Quota { state.withLock { $0.quota } }

  /// The permits that a task waits for.
  fileprivate typealias Grant = FirstResult<Void>
  private typealias Machine = QuotaStateMachine<Grant>

  private let clock: C
  private let origin: C.Instant
  private let observer: EventObserver
  private let state: Lock<State>

  private struct State {
    var quota: Quota
    var machine: Machine
    var timer: Task<Void, Never>?
  }

  /// Creates a limiter that has all its permits.
  ///
  /// - Parameters:
  ///   - quota: How many permits the limiter grants, and at which rate.
  ///   - clock: The clock that measures the time.
  ///   - onEvent: Called for each event of a request. A reservation is told of when it is made.
  /// - Throws: `InvalidArgumentError`, which names the argument of the quota that is not valid.
  public convenience init(
    _ quota: Quota, clock: C = ContinuousClock(),
    onEvent: (@Sendable (BlockEvent) -> Void)? = nil
  ) throws(InvalidArgumentError) {
    self.init(quota, algorithm: try quota.makeAlgorithm(), clock: clock, onEvent: onEvent)
  }

  /// Creates a limiter that goes on from a state of its quota.
  ///
  /// - Parameters:
  ///   - quota: The quota.
  ///   - algorithm: The state of the quota.
  ///   - clock: The clock that measures the time.
  ///   - origin: The instant from which the state counts its time; by default now.
  ///   - settledUntil: The instant of the state.
  ///   - onEvent: Called for each event of a request.
  init(
    _ quota: Quota, algorithm: QuotaAlgorithm, clock: C, origin: C.Instant? = nil,
    settledUntil: Int64 = 0, onEvent: (@Sendable (BlockEvent) -> Void)? = nil
  ) {
    self.clock = clock
    observer = EventObserver(onEvent)
    self.origin = origin ?? clock.now
    let machine = Machine(
      algorithm: algorithm, capacity: quota.capacity, settledUntil: settledUntil)
    state = Lock(State(quota: quota, machine: machine))
  }

  /// The state of the quota while no task waits.
  var memory: QuotaMemory { state.withLock { $0.machine.memory } }
}

// MARK: - Not waiting

extension QuotaLimiter {
  /// Takes a permit if one is available and no task waits for it.
  ///
  /// - Returns: How many permits remain, or after which time one will be available.
  @_specialize(where C == ContinuousClock)
  public func tryAcquire() -> QuotaDecision {
    take(1)
  }

  /// Takes several permits if enough are available and no task waits for them.
  ///
  /// - Parameter permits: The number of permits, up to the capacity of the quota.
  /// - Returns: How many permits remain, or after which time enough will be available.
  /// - Throws: ``QuotaError`` if the limiter can never grant that many permits.
  @_specialize(where C == ContinuousClock)
  public func tryAcquire(_ permits: Int) throws(QuotaError) -> QuotaDecision {
    let now = now
    let result = try state.withLock { state throws(QuotaError) in
      try Quota.check(permits, capacity: state.machine.capacity)
      return Self.take(permits, &state, now: now)
    }
    return decide(permits, result, now: now)
  }

  /// Takes as many permits as are available, up to a number, if no task waits for them.
  ///
  /// For work that can be split, such as the lines of a batch.
  ///
  /// If it takes none, its event is that of a request for one permit.
  ///
  /// - Parameter maximum: The largest number of permits; 1 or more.
  /// - Returns: How many permits were taken, or 0.
  /// - Throws: ``QuotaError/invalidRequest(permits:)`` if the number is not positive.
  public func tryAcquire(upTo maximum: Int) throws(QuotaError) -> Int {
    guard maximum >= 1 else { throw .invalidRequest(permits: maximum) }
    let now = now
    let (taken, refusal) = state.withLock { state in
      let taken = state.machine.tryAcquire(upTo: maximum, now: now)
      return (taken, taken == 0 ? Self.take(1, &state, now: now) : nil)
    }
    if let refusal { return decide(1, refusal, now: now).isAllowed ? 1 : 0 }
    resumeGranted()
    observer.tell(.granted(taken))
    return taken
  }

  @inline(__always)
  func take(_ permits: Int) -> QuotaDecision {
    let now = now
    return decide(permits, state.withLock { Self.take(permits, &$0, now: now) }, now: now)
  }

  @inline(__always)
  private static func take(
    _ permits: Int, _ state: inout State, now: Int64
  ) -> (attempt: Machine.Attempt, hasGranted: Bool) {
    let attempt = state.machine.tryAcquire(permits, now: now)
    return (attempt, !state.machine.granted.isEmpty)
  }

  @inline(__always)
  private func decide(
    _ permits: Int, _ result: (attempt: Machine.Attempt, hasGranted: Bool), now: Int64
  ) -> QuotaDecision {
    // The call moved the state machine to the present, which may have granted permits to tasks.
    if result.hasGranted { resumeGranted() }
    let decision: QuotaDecision =
      switch result.attempt {
      case .taken(let remaining): .allowed(remaining: remaining)
      case .notBefore(let readyAt): .denied(retryAfter: time(from: now, to: readyAt))
      }
    observer.tell(decision, permits: permits)
    return decision
  }
}

// MARK: - Waiting

extension QuotaLimiter {
  /// Takes permits, and waits until enough are available.
  ///
  /// - Parameter permits: The number of permits, up to the capacity of the quota.
  /// - Throws: ``QuotaError`` if the limiter can never grant that many permits; `CancellationError`
  ///   when the task is cancelled before it has got them.
  public func acquire(_ permits: Int = 1) async throws {
    try await wait(for: permits, before: .max)
  }

  /// Takes permits, and waits until enough are available, but not beyond a deadline.
  ///
  /// - Parameters:
  ///   - permits: The number of permits, up to the capacity of the quota.
  ///   - deadline: The latest instant at which the permits are of use.
  /// - Throws: ``QuotaError``, at once, if the limiter can never grant that many permits, or will
  ///   grant them only after the deadline; `CancellationError` when the task is cancelled before it
  ///   has got them.
  public func acquire(_ permits: Int = 1, before deadline: C.Instant) async throws {
    try await wait(for: permits, before: origin.duration(to: deadline).wholeNanoseconds)
  }

  private func wait(for permits: Int, before deadline: Int64) async throws {
    try Quota.check(permits, capacity: state.withLock { $0.machine.capacity })
    try await observer.admit {
      try Task.checkCancellation()
      let grant = Grant()
      let now = now
      let admission = try state.withLock { state throws(QuotaError) in
        // Once more, since the quota may have been replaced.
        try Quota.check(permits, capacity: state.machine.capacity)
        return state.machine.admit(permits, now: now, before: deadline, waiter: grant)
      }
      defer { resumeGranted() }
      switch admission {
      case .taken: break
      case .refused(let readyAt):
        throw QuotaError.deadlineUnreachable(retryAfter: time(from: now, to: readyAt))
      case .queued(let id, _):
        resumeGranted()
        try await observer.wait(on: clock) { try await value(of: grant, id) }
      }
    }
    observer.tell(.granted(permits))
  }

  private func value(of grant: Grant, _ id: Int) async throws {
    try await withTaskCancellationHandler {
      try await grant.value
    } onCancel: {
      let now = now
      if state.withLock({ $0.machine.cancel(id, now: now) }) {
        grant.set(.failure(CancellationError()))
      }
      resumeGranted()
    }
  }
}

// MARK: - Reserving

extension QuotaLimiter {
  /// Takes permits that will be available later, without waiting for them.
  ///
  /// This is for callers that schedule their work, and wait in their own way. A reservation is in
  /// the same queue as the waiting tasks. To overdraw the quota, do the work at once: those who come
  /// later wait for it.
  ///
  /// - Parameter permits: The number of permits, up to the capacity of the quota.
  /// - Returns: A reservation that says when the permits may be used.
  /// - Throws: ``QuotaError`` if the limiter can never grant that many permits.
  public func reserve(_ permits: Int = 1) throws(QuotaError) -> QuotaReservation<C> {
    let now = now
    let admission = try state.withLock { state throws(QuotaError) in
      try Quota.check(permits, capacity: state.machine.capacity)
      return state.machine.admit(permits, now: now, waiter: nil)
    }
    resumeGranted()
    observer.tell(.granted(permits))
    switch admission {
    case .taken, .refused:
      // A request without a deadline is never refused.
      return QuotaReservation(limiter: self, clock: clock, readyAt: instant(now), id: nil)
    case .queued(let id, let readyAt):
      // A reservation is told its time.
      return QuotaReservation(limiter: self, clock: clock, readyAt: instant(readyAt!), id: id)
    }
  }

  /// Returns `false` if the time of the permits has come, so that they are not given back.
  func cancelReservation(_ id: Int) -> Bool {
    let now = now
    let isCancelled = state.withLock { $0.machine.cancel(id, now: now) }
    resumeGranted()
    return isCancelled
  }
}

// MARK: - Changing the quota

extension QuotaLimiter {
  /// How many permits a request could take now.
  ///
  /// It is 0 while tasks wait. Another caller may take the permits at any time.
  public var remaining: Int {
    let now = now
    let remaining = state.withLock { $0.machine.remaining(now: now) }
    resumeGranted()
    return remaining
  }

  /// Gives back permits that were taken and not used, up to the capacity of each quota.
  ///
  /// Tasks that wait move up. A sliding window takes its oldest permits as the unused ones, so that
  /// it never contains too many used ones. Give back only what was taken, and while it is in the
  /// window.
  ///
  /// - Parameter permits: The number of permits.
  /// - Throws: ``QuotaError/invalidRequest(permits:)`` if the number is not positive.
  public func credit(_ permits: Int = 1) throws(QuotaError) {
    guard permits >= 1 else { throw .invalidRequest(permits: permits) }
    let now = now
    state.withLock { $0.machine.credit(permits, now: now) }
    resumeGranted()
  }

  /// Takes all permits that are available, for example after a server has answered with status 429.
  ///
  /// Reservations keep their time.
  public func drain() { drain(for: 0) }

  /// Takes all permits that are available, and grants none for a time, such as the `Retry-After` of
  /// a server.
  ///
  /// The quota refills meanwhile. Reservations keep their time. If the limiter grants no permits
  /// already, the later end counts.
  ///
  /// - Parameter duration: The time; zero or positive.
  /// - Throws: `InvalidArgumentError` if the time is negative.
  public func drain(for duration: Duration) throws(InvalidArgumentError) {
    guard duration >= .zero else {
      throw InvalidArgumentError("duration", duration, mustBe: "zero or positive")
    }
    drain(for: duration.nanosecondsRoundedUp)
  }

  private func drain(for nanoseconds: Int64) {
    let now = now
    let (end, overflow) = now.addingReportingOverflow(nanoseconds)
    state.withLock { $0.machine.drain(until: overflow ? .max : end, now: now) }
    resumeGranted()
  }

  /// Goes on with another quota, for example after the configuration has changed.
  ///
  /// As many permits are taken of the new quota as were taken of the previous one, as if they had
  /// been taken now. If both are ``Quota/all(_:_:)`` of as many quotas, this holds for each of
  /// them, in their order; if not, each takes the largest of these numbers. Tasks that wait stay in
  /// their order. A task that waits for more permits than the new quota grants at once gets a
  /// ``QuotaError/beyondCapacity(permits:capacity:)``. Reservations keep their time.
  ///
  /// - Parameter quota: The new quota.
  /// - Throws: `InvalidArgumentError`, which names the argument of the quota that is not valid.
  public func replaceQuota(with quota: Quota) throws(InvalidArgumentError) {
    let refusals = replace(quota, try quota.makeAlgorithm(), now: now)
    refuse(refusals)
  }

  /// A task whose request is larger than a new quota, and its error.
  struct Refusal {
    fileprivate let grant: Grant
    fileprivate let error: QuotaError
  }

  /// Goes on with another quota.
  ///
  /// The caller passes the result to `refuse`, outside of its locks.
  func replace(_ quota: Quota, _ algorithm: QuotaAlgorithm, now: Int64) -> [Refusal] {
    let capacity = quota.capacity
    return state.withLock { state in
      state.quota = quota
      return state.machine.replace(algorithm, capacity: capacity, now: now).map {
        Refusal(
          grant: $0.waiter, error: .beyondCapacity(permits: $0.permits, capacity: capacity))
      }
    }
  }

  /// Ends the waits of tasks, and resumes those that have got their permits.
  func refuse(_ refusals: [Refusal]) {
    for refusal in refusals { refusal.grant.set(.failure(refusal.error)) }
    resumeGranted()
  }
}

// MARK: - Time

extension QuotaLimiter {
  @inline(__always)
  private var now: Int64 { origin.duration(to: clock.now).wholeNanoseconds }

  /// As a duration, because the difference may not fit into 64 bits.
  @inline(__always)
  private func time(from now: Int64, to instant: Int64) -> Duration {
    .nanoseconds(instant) - .nanoseconds(now)
  }

  private func instant(_ nanoseconds: Int64) -> C.Instant {
    origin.advanced(by: .nanoseconds(nanoseconds))
  }

  /// Resumes the tasks that have got their permits, and arms a timer for the next one.
  private func resumeGranted() {
    let (granted, change, old) = state.withLock { state in
      let granted = state.machine.takeGranted()
      let change = state.machine.updateTimer()
      if case .none = change { return (granted, change, nil as Task<Void, Never>?) }
      return (granted, change, state.timer.take())
    }
    for grant in granted { grant.set(.success(())) }
    old?.cancel()
    if case .arm(let id, let wakeAt) = change { armTimer(id, wakeAt: wakeAt) }
  }

  private func armTimer(_ id: Int, wakeAt: Int64) {
    let timer = Task(name: "QuotaLimiter") { [self] in
      guard (try? await clock.sleep(until: instant(wakeAt), tolerance: nil)) != nil else { return }
      let now = now
      state.withLock { $0.machine.timerFired(id, now: now) }
      resumeGranted()
    }
    let isCurrent = state.withLock { state in
      guard state.machine.isCurrentTimer(id) else { return false }
      state.timer = timer
      return true
    }
    // Another timer may have replaced this one in the meantime, or no task waits any more.
    if !isCurrent { timer.cancel() }
  }
}
