import _EscapementCore

/// Gives permits up to a quota, and refuses or delays those who ask for more.
///
/// ```swift
/// let limiter = try QuotaLimiter(.tokenBucket(capacity: 20, refill: 10, every: .seconds(1)))
/// guard limiter.tryAcquire().isAllowed else { return .tooManyRequests }
/// ```
///
/// - **First come, first served.** Nobody overtakes those who wait, not even with a smaller request.
/// - **Nothing is lost.** Who is cancelled while waiting leaves the permits to those behind, who
///   move up at once. A wait that ends with permits never ends with `CancellationError` too.
/// - **Exact.** All arithmetic is on integers; instants count in whole nanoseconds from the creation
///   of the limiter, and a clock that goes backwards stands still for it.
///
/// - Complexity: `tryAcquire` is O(1) and does not allocate, while nobody waits. With a sliding
///   window, that is amortised over the permits.
public final class QuotaLimiter<C: Clock<Duration>>: Sendable {
  /// The quota.
  public let quota: Quota

  private typealias Machine = QuotaStateMachine<QuotaWaiter>

  private let clock: C
  private let origin: C.Instant
  private let capacity: Int
  private let state: Lock<(machine: Machine, timer: Task<Void, Never>?)>

  /// Creates a limiter that has all its permits.
  ///
  /// - Parameters:
  ///   - quota: How many permits there are, and how fast.
  ///   - clock: The clock that measures the time.
  /// - Throws: An error that names the argument of the quota that cannot work.
  public convenience init(
    _ quota: Quota, clock: C = ContinuousClock()
  ) throws(InvalidArgumentError) {
    self.init(quota, algorithm: try quota.makeAlgorithm(), clock: clock)
  }

  init(_ quota: Quota, algorithm: QuotaAlgorithm, clock: C) {
    self.quota = quota
    self.clock = clock
    origin = clock.now
    capacity = quota.capacity
    state = Lock((Machine(algorithm: algorithm), nil))
  }
}

// MARK: - Not waiting

extension QuotaLimiter {
  /// Takes a permit if there is one and nobody waits for it.
  ///
  /// - Returns: How many more there are, or after which time there will be one.
  @_specialize(where C == ContinuousClock)
  public func tryAcquire() -> QuotaDecision {
    take(1)
  }

  /// Takes several permits if there are enough and nobody waits for them.
  ///
  /// - Parameter permits: How many, up to the capacity of the quota.
  /// - Returns: How many more there are, or after which time there will be enough.
  /// - Throws: An error if so many can never be given.
  @_specialize(where C == ContinuousClock)
  public func tryAcquire(_ permits: Int) throws(QuotaError) -> QuotaDecision {
    try check(permits)
    return take(permits)
  }

  @inline(__always)
  private func take(_ permits: Int) -> QuotaDecision {
    let now = now
    let (attempt, hasGranted) = state.withLock { state in
      let attempt = state.machine.tryAcquire(permits, now: now)
      return (attempt, !state.machine.granted.isEmpty)
    }
    // Looking may have shown that the time of those who wait has come.
    if hasGranted { tellGranted() }
    switch attempt {
    case .taken(let remaining): return .allowed(remaining: remaining)
    case .notBefore(let readyAt): return .denied(retryAfter: .nanoseconds(readyAt - now))
    }
  }
}

// MARK: - Waiting

extension QuotaLimiter {
  /// Takes permits, and waits for them if need be.
  ///
  /// - Parameter permits: How many, up to the capacity of the quota.
  /// - Throws: ``QuotaError`` if so many can never be given; `CancellationError` when the task is
  ///   cancelled before it has got them.
  public func acquire(_ permits: Int = 1) async throws {
    try await wait(for: permits, before: .max)
  }

  /// Takes permits, and waits for them if need be, unless they come too late.
  ///
  /// - Parameters:
  ///   - permits: How many, up to the capacity of the quota.
  ///   - deadline: When they have to be there.
  /// - Throws: ``QuotaError``, at once, if so many can never be given, or if they will not be there
  ///   before the deadline; `CancellationError` when the task is cancelled before it has got them.
  public func acquire(_ permits: Int = 1, before deadline: C.Instant) async throws {
    try await wait(for: permits, before: origin.duration(to: deadline).wholeNanoseconds)
  }

  private func wait(for permits: Int, before deadline: Int64) async throws {
    try check(permits)
    try Task.checkCancellation()
    let waiter = QuotaWaiter()
    let now = now
    let admission = state.withLock {
      $0.machine.admit(permits, now: now, before: deadline, waiter: waiter)
    }
    defer { tellGranted() }
    switch admission {
    case .taken:
      return
    case .refused(let readyAt):
      throw QuotaError.deadlineUnreachable(retryAfter: .nanoseconds(readyAt - now))
    case .queued(let id, _):
      tellGranted()
      try await suspend(waiter, id)
    }
  }

  private func suspend(_ waiter: QuotaWaiter, _ id: Int) async throws {
    let outcome = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let outcome = state.withLock { _ in waiter.suspend(continuation) }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let now = now
      let continuation = state.withLock { state in
        state.machine.cancel(id, now: now) ? waiter.end(.cancelled) : nil
      }
      continuation?.resume(returning: .cancelled)
      tellGranted()
    }
    if outcome == .cancelled { throw CancellationError() }
  }
}

// MARK: - Reserving

extension QuotaLimiter {
  /// Takes permits of the future, without waiting for them.
  ///
  /// For callers that schedule what they do, and can wait in their own way. A reservation stands in
  /// the same queue as those who wait.
  ///
  /// - Parameter permits: How many, up to the capacity of the quota.
  /// - Throws: An error if so many can never be given.
  public func reserve(_ permits: Int = 1) throws(QuotaError) -> QuotaReservation<C> {
    try check(permits)
    let now = now
    let admission = state.withLock { $0.machine.admit(permits, now: now, waiter: nil) }
    tellGranted()
    switch admission {
    case .taken, .refused:
      // Without a deadline nothing is refused.
      return QuotaReservation(limiter: self, clock: clock, readyAt: instant(now), id: nil)
    case .queued(let id, let readyAt):
      return QuotaReservation(limiter: self, clock: clock, readyAt: instant(readyAt), id: id)
    }
  }

  func cancelReservation(_ id: Int) {
    let now = now
    _ = state.withLock { $0.machine.cancel(id, now: now) }
    tellGranted()
  }
}

// MARK: - Time

extension QuotaLimiter {
  @inline(__always)
  private var now: Int64 { origin.duration(to: clock.now).wholeNanoseconds }

  private func instant(_ nanoseconds: Int64) -> C.Instant {
    origin.advanced(by: .nanoseconds(nanoseconds))
  }

  private func check(_ permits: Int) throws(QuotaError) {
    guard permits >= 1 else { throw .invalidRequest(permits: permits) }
    guard permits <= capacity else {
      throw .beyondCapacity(permits: permits, capacity: capacity)
    }
  }

  /// Whether a limiter that is created now would behave the same.
  func isIdle(at now: C.Instant) -> Bool {
    let now = origin.duration(to: now).wholeNanoseconds
    return state.withLock { $0.machine.isIdle(now: now, capacity: capacity) }
  }

  /// Resumes those who have got their permits, and sees to it that the next ones will be, too.
  private func tellGranted() {
    let (continuations, change, old) = state.withLock { state in
      let continuations = state.machine.takeGranted().compactMap { $0.end(.granted) }
      let change = state.machine.updateTimer()
      if case .none = change { return (continuations, change, nil as Task<Void, Never>?) }
      return (continuations, change, state.timer.take())
    }
    for continuation in continuations { continuation.resume(returning: .granted) }
    old?.cancel()
    if case .arm(let id, let wakeAt) = change { armTimer(id, wakeAt: wakeAt) }
  }

  private func armTimer(_ id: Int, wakeAt: Int64) {
    let timer = Task(name: "QuotaLimiter") { [self] in
      guard (try? await clock.sleep(until: instant(wakeAt), tolerance: nil)) != nil else { return }
      let now = now
      state.withLock { $0.machine.timerFired(id, now: now) }
      tellGranted()
    }
    let isCurrent = state.withLock { state in
      guard state.machine.isCurrentTimer(id) else { return false }
      state.timer = timer
      return true
    }
    // If another timer has taken its place meanwhile, or nobody waits any more.
    if !isCurrent { timer.cancel() }
  }
}

/// A task that waits for permits.
///
/// Unchecked because everything in it is guarded by the lock of its limiter.
final class QuotaWaiter: @unchecked Sendable {
  enum Outcome {
    case granted, cancelled
  }

  private var outcome: Outcome?
  private var continuation: UnsafeContinuation<Outcome, Never>?

  /// Keeps the continuation, or returns how the wait has ended.
  func suspend(_ continuation: UnsafeContinuation<Outcome, Never>) -> Outcome? {
    if outcome == nil { self.continuation = continuation }
    return outcome
  }

  /// Returns what has to be resumed, if the task has suspended.
  func end(_ outcome: Outcome) -> UnsafeContinuation<Outcome, Never>? {
    self.outcome = outcome
    return continuation
  }
}
