import _EscapementCore

/// Lets one of many replicas do something, through a store such as Redis or PostgreSQL.
///
/// ```swift
/// let lease = try Lease("reports", store: store)
/// try await lease.run { token in try await writeReports(token) }
/// ```
///
/// - **Acquire.** ``run(body:)`` waits until no other replica has the lease.
/// - **Renew.** While the body runs, the replica renews the lease, three times in its duration.
/// - **Lose.** If the store does not answer for so long that the lease may have ended, the body is
///   cancelled.
/// - **Hand over.** When the body has ended, the lease is free at once. When a replica dies, it is
///   free after its duration.
///
/// **What is guaranteed.** Each time the lease gets a holder, its ``FencingToken`` is larger. Two
/// replicas never have the same token. Two bodies run at the same time only if one of them ignores
/// its cancellation, if a process did not run for a while, or if clocks do not run equally fast.
/// Where that matters, let the target check the token. When a store restarts, or its replica takes
/// over, without the latest writes, another replica may get the lease before the first one notices
/// it at its next renewal. Its token is the larger one, if the clock of the new server is not
/// behind. PostgreSQL keeps what it has written, if its commits are synchronous and, where a
/// replica takes over, its replication is too.
public final class Lease<C: Clock<Duration>>: Sendable {
  /// The name of the lease.
  public let name: String

  private let store: any SharedStore
  private let duration: Int64
  private let retryInterval: Int64
  private let observer: EventObserver
  private let clock: C
  private let origin: C.Instant

  /// Creates a lease that this process does not have yet.
  ///
  /// - Parameters:
  ///   - name: The name of the lease in the store, up to 1,000 bytes. All replicas use the same
  ///     name.
  ///   - store: The store.
  ///   - duration: After which time the lease of a replica that died is free; from 1 millisecond to
  ///     365 days.
  ///   - retryInterval: How often a replica that waits for the lease asks for it; positive.
  ///   - clock: The clock that measures these times. It must not stand still when the process does
  ///     not run, so on a system that sleeps do not pass a `SuspendingClock`.
  ///   - onEvent: Called for each event of a call. When the store has not made a decision, the
  ///     lease asks again by itself. So without this, a store that never answers, or a schema that
  ///     is missing, looks like a lease that another replica has.
  /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
  public init(
    _ name: String, store: some SharedStore, duration: Duration = .seconds(15),
    retryInterval: Duration = .seconds(2), clock: C = ContinuousClock(),
    onEvent: (@Sendable (BlockEvent) -> Void)? = nil
  ) throws(InvalidArgumentError) {
    guard .milliseconds(1) ... .seconds(365 * 86_400) ~= duration else {
      throw InvalidArgumentError("duration", duration, mustBe: "from 1 millisecond to 365 days")
    }
    guard retryInterval > .zero else {
      throw InvalidArgumentError("retryInterval", retryInterval, mustBe: "positive")
    }
    try checkStoreKey(name, argument: "name")
    self.name = name
    self.store = store
    // Whole microseconds, which are the unit of the store.
    self.duration = duration.wholeNanoseconds / 1_000 * 1_000
    self.retryInterval = min(retryInterval, duration).nanosecondsRoundedUp
    observer = EventObserver(onEvent)
    self.clock = clock
    origin = clock.now
  }
}

// MARK: - Running

extension Lease {
  /// Waits for the lease, and performs an operation while it is held.
  ///
  /// Calls of one process wait for each other, as those of different replicas do. At the end, the
  /// call waits up to one retry interval for the store to hear that the lease is free. To bound the
  /// wait, call the function inside of `withDeadline`.
  ///
  /// - Parameter body: The operation, which gets the token. It runs on the actor of the caller, and
  ///   is cancelled when the lease is lost.
  /// - Returns: The result of the operation.
  /// - Throws: ``LeaseLostError`` if the lease was lost and the operation threw; the error of the
  ///   operation; or `CancellationError` when the task is cancelled.
  nonisolated(nonsending) public func run<Return>(
    body: nonisolated(nonsending) (FencingToken) async throws -> Return
  ) async throws -> Return {
    try await hold(.acquire, run: 0, body: body)!
  }

  /// How often a run takes place when replicas die.
  public enum Delivery: Hashable, Sendable {
    /// The run is noted as done *before* it begins. If the replica dies in the middle, the run is
    /// not repeated. This is for runs that must not be repeated, such as sending mails.
    case atMostOnce
    /// The run is noted as done when its operation has returned. If the replica dies in the middle,
    /// or the operation throws, another replica repeats the run. This is for operations that may be
    /// repeated, such as removing what has expired.
    case atLeastOnce
  }

  /// Performs a scheduled run on one of the replicas.
  ///
  /// Each replica calls the function, with the instant that the schedule has named:
  ///
  /// ```swift
  /// launcher.on(schedule) { instant in
  ///   _ = try? await lease.runOnce(for: instant, .atLeastOnce) { _ in try await removeExpired() }
  /// }
  /// ```
  ///
  /// The first replica that gets the lease performs the run. The others wait until it is done, or
  /// do it if the first one dies. A run that is earlier than one that is done is done as well. Use
  /// a lease of its own for each schedule.
  ///
  /// If the store does not answer when the operation has returned, the call asks it again, for up
  /// to the duration of the lease, also when the task is cancelled.
  ///
  /// - Parameters:
  ///   - instant: The instant of the run, which is after 1970 and counts in whole microseconds.
  ///   - delivery: What happens when a replica dies in the middle.
  ///   - body: The run, which gets the token.
  /// - Returns: Whether this replica has performed the run.
  /// - Throws: ``LeaseLostError`` if the lease was lost before the run was noted as done; the error
  ///   of the operation; or `CancellationError` when the task is cancelled.
  @discardableResult nonisolated(nonsending) public func runOnce(
    for instant: WallClock.Instant, _ delivery: Delivery,
    body: nonisolated(nonsending) (FencingToken) async throws -> Void
  ) async throws -> Bool {
    let run = instant.offset.wholeNanoseconds / 1_000
    // The store computes with 53 bits.
    guard 1..<1 << 53 ~= run else {
      throw InvalidArgumentError(
        "instant", instant, mustBe: "after 1970-01-01T00:00:00Z and before 2255")
    }
    let action: LeaseRequest.Action =
      switch delivery {
      case .atMostOnce: .acquireAndFinish
      case .atLeastOnce: .acquire
      }
    return try await hold(action, run: run, body: body) != nil
  }
}

// MARK: - Holding

extension Lease {
  /// Returns `nil` if the run has been done.
  nonisolated(nonsending) private func hold<Return>(
    _ action: LeaseRequest.Action, run: Int64,
    body: nonisolated(nonsending) (FencingToken) async throws -> Return
  ) async throws -> Return? {
    // No other caller has this number, so a request whose reply was lost may be repeated.
    let owner = Int64.random(in: 1...1 << 52)
    let holding = try await observer.admit {
      try await observer.wait(on: clock) { try await acquire(action, owner: owner, run: run) }
    }
    guard let (token, machine) = holding else {
      observer.tell(.left)
      return nil
    }
    return try await observer.perform {
      try await perform(body, token, machine, owner: owner, action, run: run)
    }
  }

  nonisolated(nonsending) private func perform<Return>(
    _ body: nonisolated(nonsending) (FencingToken) async throws -> Return, _ token: FencingToken,
    _ machine: LeaseStateMachine, owner: Int64, _ action: LeaseRequest.Action, run: Int64
  ) async throws -> Return {
    let isolation = #isolation
    // Safe because only one child task performs the body, and the caller waits for it. The closure
    // is needed because `withoutActuallyEscaping` does not keep the isolation of its argument.
    nonisolated(unsafe) let body = body
    let operation: @Sendable () async throws -> Return = { try await body(token) }
    return try await withoutActuallyEscaping(operation) { operation in
      let execution = Execution(of: operation, deadlines: ActiveDeadlines.current)
      // Not a child: while the body reacts to the cancellation of the caller, the lease is still
      // needed.
      let renewal = Task(name: "Lease \(name)") { await renew(machine, owner: owner) }
      let isLost = await withTaskGroup { group in
        group.addTask {
          await execution.run(on: isolation)
          renewal.cancel()
          return false
        }
        group.addTask { await renewal.value }
        let isLost = await group.next()!
        if isLost { observer.tell(.lost) }
        group.cancelAll()
        await group.waitForAll()
        return isLost
      }
      let result = Result { try execution.takeResult() }
      let isFinished = if case .success = result { true } else { false }
      let isReleased = await release(owner, run: isFinished ? run : 0)
      switch result {
      case .success(let value):
        // Another replica repeats a run that could not be noted as done.
        guard isReleased || run == 0 || action == .acquireAndFinish else {
          if !isLost { observer.tell(.lost) }
          throw LeaseLostError(name: name, token: token, bodyError: nil)
        }
        return value
      case .failure(let error):
        throw isLost ? LeaseLostError(name: name, token: token, bodyError: error) : error
      }
    }
  }

  /// Returns `nil` if the run has been done.
  private func acquire(
    _ action: LeaseRequest.Action, owner: Int64, run: Int64
  ) async throws -> (FencingToken, LeaseStateMachine)? {
    var machine = newMachine
    let request = LeaseRequest(
      action: action, owner: owner, duration: duration / 1_000, run: run)
    do {
      while true {
        try Task.checkCancellation()
        // Also if the reply came so late that the lease has to be renewed at once.
        if let token = machine.token(at: now) { return (FencingToken(number: token), machine) }
        switch machine.next(now: now) {
        case .wait(let instant):
          try await clock.sleep(until: self.instant(instant), tolerance: nil)
        case .acquire(let limit):
          await ask(request, until: limit, &machine)
        case .lost, .renew, .awaitReply:
          // The reply came so late that the lease has ended.
          machine = newMachine
        case .done:
          return nil
        }
      }
    } catch {
      // The store may have granted the lease to a request whose reply was lost.
      _ = await release(owner, run: 0)
      throw error
    }
  }

  /// Renews the lease until the task is cancelled; returns whether the lease was lost.
  private func renew(_ machine: LeaseStateMachine, owner: Int64) async -> Bool {
    var machine = machine
    let request = LeaseRequest(action: .renew, owner: owner, duration: duration / 1_000)
    while !Task.isCancelled {
      switch machine.next(now: now) {
      case .wait(let instant):
        try? await clock.sleep(until: self.instant(instant), tolerance: nil)
      case .renew(let limit):
        await ask(request, until: limit, &machine)
      case .lost:
        return true
      case .acquire, .awaitReply, .done:
        preconditionFailure("A lease that is held was not held.")
      }
    }
    return false
  }

  /// Returns whether this owner had the lease until now.
  private func release(_ owner: Int64, run: Int64) async -> Bool {
    let request = LeaseRequest(action: .release, owner: owner, run: run)
    // Also when the task is cancelled.
    return await Task(name: "Lease \(name)") {
      // If it does not succeed, the lease ends by itself. That a run is done should not be lost.
      let end = now + (run == 0 ? retryInterval : duration)
      while true {
        if let reply = await reply(to: request, until: end) {
          return if case .granted = reply { true } else { false }
        }
        let next = now + min(retryInterval, duration / 6)
        guard run > 0, next < end else { return false }
        try? await clock.sleep(until: instant(next), tolerance: nil)
      }
    }.value
  }

  private func ask(
    _ request: LeaseRequest, until limit: Int64, _ machine: inout LeaseStateMachine
  ) async {
    if let reply = await reply(to: request, until: limit) {
      machine.received(reply, now: now)
    } else {
      machine.failed(now: now)
    }
  }

  /// Returns `nil` if the store has not made a decision.
  private func reply(to request: LeaseRequest, until limit: Int64) async -> LeaseReply? {
    let command = StoreCommand(request, key: "escapement:lease:\(name)")
    let patience = Duration.nanoseconds(limit - now)
    do {
      return try await withUnstructuredDeadline(instant(limit), clock: clock) {
        try LeaseReply(try await self.store.perform(command), to: request)
      }
    } catch {
      // If the holder has finished, or the caller is cancelled, nobody waits for the reply.
      guard !Task.isCancelled else { return nil }
      let isLate = error is DeadlineExpiredError
      observer.tell(.storeFailed(isLate ? SharedStoreError.timedOut(after: patience) : error))
      return nil
    }
  }

  private var newMachine: LeaseStateMachine {
    LeaseStateMachine(duration: duration, retryInterval: retryInterval, now: now)
  }

  private var now: Int64 { origin.duration(to: clock.now).wholeNanoseconds }

  private func instant(_ nanoseconds: Int64) -> C.Instant {
    origin.advanced(by: .nanoseconds(nanoseconds))
  }
}
