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
/// - A call inside a call of the same breaker counts as another call. Inside the only probe, it is
///   refused.
/// - All arithmetic is on integers. If the clock moves backwards, the time of the breaker stands
///   still.
///
/// - Complexity: O(1) for each call.
public final class CircuitBreaker<C: Clock<Duration>>: Sendable {
  /// When the breaker opens, and how it closes again.
  public let policy: CircuitBreakerPolicy

  private let clock: C
  private let origin: C.Instant
  private let isFailure: @Sendable (any Error) -> Bool
  private let onChange: (@Sendable (CircuitState) -> Void)?
  private let machine: Lock<CircuitBreakerStateMachine>

  /// Creates a breaker that is closed.
  ///
  /// - Parameters:
  ///   - policy: When the breaker opens, and how it closes again.
  ///   - clock: The clock that measures the time.
  ///   - isFailure: Whether an error counts as a failure of the service; by default each does.
  ///     Other errors, such as "not found", count as success.
  ///   - onChange: Called after each change of the state, on the task whose call has changed it.
  ///     Calls for changes that follow each other at once may overtake one another.
  /// - Throws: `InvalidArgumentError`, which names the argument of the policy that is not valid.
  public init(
    _ policy: CircuitBreakerPolicy, clock: C = ContinuousClock(),
    countingAsFailure isFailure: @escaping @Sendable (any Error) -> Bool = { _ in true },
    onChange: (@Sendable (CircuitState) -> Void)? = nil
  ) throws(InvalidArgumentError) {
    let machine = CircuitBreakerStateMachine(
      window: try policy.makeWindow(), openDuration: policy.openDuration.nanosecondsRoundedUp,
      probes: policy.probes)
    self.policy = policy
    self.clock = clock
    self.isFailure = isFailure
    self.onChange = onChange
    self.machine = Lock(machine)
    origin = clock.now
  }

  /// The way in which the breaker treats calls.
  ///
  /// A breaker that is open becomes half-open with the next call.
  public var state: CircuitState { machine.withLock { $0.state } }

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
    let start = now
    let generation = try admit(at: start)
    do {
      let result = try await operation()
      let end = now
      // As durations, because the difference may not fit into 64 bits.
      let time = Duration.nanoseconds(end) - .nanoseconds(start)
      let isSlow = policy.slowCall.map { time >= $0 } ?? false
      finish(isSlow ? .failure : .success, generation, at: end)
      return result
    } catch {
      finish(outcome(of: error), generation, at: now)
      throw error
    }
  }

  /// Refuses all calls until ``reset()``.
  public func isolate() { change { $0.isolate() } }

  /// Forgets all calls, and closes the breaker.
  public func reset() { change { $0.reset() } }
}

extension CircuitBreaker {
  private var now: Int64 { origin.duration(to: clock.now).wholeNanoseconds }

  private func admit(at now: Int64) throws -> Int {
    switch change({ $0.admit(now: now) }) {
    case .admitted(let generation):
      return generation
    case .refused(let time):
      throw CircuitOpenError(retryAfter: time.map { .nanoseconds($0) })
    }
  }

  private func finish(
    _ outcome: CircuitBreakerStateMachine.Outcome, _ generation: Int, at now: Int64
  ) {
    change { $0.finished(outcome, of: generation, now: now) }
  }

  private func outcome(of error: any Error) -> CircuitBreakerStateMachine.Outcome {
    if error is CancellationError || Task.isCancelled {
      return Task.cancellationReason == .deadlineExpired ? .failure : .ignored
    }
    return isFailure(error) ? .failure : .success
  }

  /// Lets an event happen, and tells of a change of the state.
  @discardableResult
  private func change<Result>(
    _ event: (inout CircuitBreakerStateMachine) -> Result
  ) -> Result {
    let (result, changed) = machine.withLock { machine in
      let state = machine.state
      let result = event(&machine)
      return (result, machine.state == state ? nil : machine.state)
    }
    if let changed { onChange?(changed) }
    return result
  }
}
