import _EscapementCore

/// Refuses calls of a service that keeps failing, so that the service can recover and callers do
/// not wait.
///
/// ```swift
/// let breaker = try CircuitBreaker(.failureRate(percent: 50, over: .seconds(10)))
/// let price = try await breaker.run { try await shop.price(of: article) }
/// ```
///
/// The breaker begins *closed* and lets calls through. When too many calls have failed, it *opens*
/// and refuses calls with a ``CircuitOpenError``. After a time it is *half-open* and lets a few
/// calls through as probes. When all of them have succeeded, it closes; when one fails, it opens
/// again. The states are those of Michael Nygard's *Release It!*
///
/// - A call that has begun before the state changed does not count.
/// - A cancelled call does not count. If a deadline has cancelled it, it counts as failed.
/// - A call that a limiter or a throttle inside has refused does not count.
/// - A call inside a call of the same breaker counts as another call. Inside the only probe, it is
///   refused.
/// - All arithmetic is on integers. If the clock moves backwards, the time of the breaker stands
///   still.
///
/// - Complexity: O(1) for each call.
public final class CircuitBreaker<C: Clock<Duration>>: Sendable {
  /// When the breaker opens, and how it closes again, at present.
  public var policy: CircuitBreakerPolicy { guarded.withLock { $0.policy } }

  private let clock: C
  private let origin: C.Instant
  private let isFailure: @Sendable (any Error) -> Bool
  private let observer: EventObserver
  private let guarded: Lock<Guarded>

  /// Creates a breaker that is closed.
  ///
  /// - Parameters:
  ///   - policy: When the breaker opens, and how it closes again.
  ///   - clock: The clock that measures the time.
  ///   - isFailure: Whether an error counts as a failure of the service; by default each does.
  ///     Other errors, such as "not found", count as success.
  ///   - onEvent: Called for each event of a call, and after each change of the state.
  /// - Throws: `InvalidArgumentError`, which names the argument of the policy that is not valid.
  public init(
    _ policy: CircuitBreakerPolicy, clock: C = ContinuousClock(),
    countingAsFailure isFailure: @escaping @Sendable (any Error) -> Bool = { _ in true },
    onEvent: (@Sendable (BlockEvent) -> Void)? = nil
  ) throws(InvalidArgumentError) {
    let machine = CircuitBreakerStateMachine(
      window: try policy.makeWindow(), openDuration: policy.openDuration.nanosecondsRoundedUp,
      probes: policy.probes)
    self.clock = clock
    self.isFailure = isFailure
    observer = EventObserver(onEvent)
    guarded = Lock(Guarded(policy: policy, machine: machine))
    origin = clock.now
  }

  /// The way in which the breaker treats calls.
  ///
  /// A breaker that is open becomes half-open with the next call.
  public var state: CircuitState { guarded.withLock { $0.machine.state } }

  /// Performs an operation if the breaker lets it through, and counts its outcome.
  ///
  /// The operation runs in the task of the caller, on its actor.
  ///
  /// - Parameter operation: The call of the service.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation, or ``CircuitOpenError`` if the operation was not
  ///   performed.
  nonisolated(nonsending) public func run<Return: ~Copyable>(
    operation: nonisolated(nonsending) () async throws -> Return
  ) async throws -> Return {
    let (generation, start) = try admit()
    do {
      let result = try await operation()
      finish(nil, isFailure: false, generation, since: start)
      return result
    } catch {
      finish(error, isFailure: isFailure(of: error), generation, since: start)
      throw error
    }
  }

  /// Refuses all calls until ``reset()``.
  public func isolate() { change { $0.machine.isolate() } }

  /// Forgets all calls, and closes the breaker.
  public func reset() { change { $0.machine.reset() } }

  /// Goes on with another policy, for example after the configuration has changed.
  ///
  /// Calls that were counted are forgotten. An open breaker stays open for the time that it has, and
  /// probes begin anew.
  ///
  /// - Parameter policy: The new policy.
  /// - Throws: `InvalidArgumentError`, which names the argument of the policy that is not valid.
  public func replacePolicy(with policy: CircuitBreakerPolicy) throws(InvalidArgumentError) {
    let window = try policy.makeWindow()
    change {
      $0.policy = policy
      $0.machine.replace(
        window: window, openDuration: policy.openDuration.nanosecondsRoundedUp,
        probes: policy.probes)
    }
  }
}

extension CircuitBreaker {
  var now: Int64 { origin.duration(to: clock.now).wholeNanoseconds }

  /// Lets a call begin, and returns its generation and when it has begun.
  func admit() throws(CircuitOpenError) -> (generation: Int, start: Int64) {
    let now = now
    switch change({ $0.machine.admit(now: now) }) {
    case .admitted(let generation):
      guard observer.onEvent != nil else { return (generation, now) }
      observer.tell(.begun)
      // The time of the call does not contain that of the closure.
      return (generation, self.now)
    case .refused(let time):
      let error = CircuitOpenError(retryAfter: time.map { .nanoseconds($0) })
      observer.tell(.refused(error))
      throw error
    }
  }

  /// Ends a call; `isFailure` is `nil` if it does not tell whether the service has failed.
  func finish(
    _ error: (any Error)?, isFailure: Bool?, _ generation: Int, since start: Int64
  ) {
    let end = now
    observer.tell(.ended(error))
    change { guarded in
      let isSlow = guarded.policy.isSlow(from: start, to: end)
      guarded.machine.finished(
        isFailure.map { $0 || isSlow ? .failure : .success } ?? .ignored, of: generation, now: end)
    }
  }

  private func isFailure(of error: any Error) -> Bool? {
    // The service has not been asked.
    if error is ConcurrencyLimitError || error is CallThrottledError || error is QuotaError {
      return nil
    }
    if error is CancellationError || Task.isCancelled {
      return Task.cancellationReason == .deadlineExpired ? true : nil
    }
    return isFailure(error)
  }

  /// Lets an event happen, and tells of a change of the state.
  @discardableResult
  private func change<Result>(
    _ event: (inout Guarded) -> Result
  ) -> Result {
    let (result, changed) = guarded.withLock { guarded in
      let state = guarded.machine.state
      let result = event(&guarded)
      return (result, guarded.machine.state == state ? nil : guarded.machine.state)
    }
    if let changed { observer.tell(.changed(changed)) }
    return result
  }
}

/// Not nested, because access to a type of a generic one takes longer.
private struct Guarded {
  var policy: CircuitBreakerPolicy
  var machine: CircuitBreakerStateMachine
}
