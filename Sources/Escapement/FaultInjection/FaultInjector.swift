import _EscapementCore

/// Makes a share of the calls of a service slow or wrong on purpose, while the system runs.
///
/// ```swift
/// let injector = FaultInjector()
/// let price = try await injector.run { try await shop.price(of: article) }
///
/// // Later, as long as the experiment lasts:
/// injector.faults = [try .latency(.seconds(1)...(.seconds(3)), share: 0.05)]
/// ```
///
/// So it is seen whether the deadlines, retries and breakers around the call do what they are for.
/// Put it around the call itself, inside of all of them. It begins without faults, and lets all
/// calls through.
///
/// - Faults are drawn in their order, until one comes in the place of the call. With a latency
///   before an error, a call may be both late and fail.
/// - The schedules that a test explores repeat the same random numbers, and so the same faults.
///
/// - Complexity: O(n) for each call, where n is the number of faults.
public final class FaultInjector<C: Clock<Duration>>: Sendable {
  private let clock: C
  private let observer: EventObserver
  private let state: Lock<[InjectedFault]>

  /// Creates an injector.
  ///
  /// - Parameters:
  ///   - faults: The faults at the beginning; by default none.
  ///   - clock: The clock that measures latencies.
  ///   - onEvent: Called with ``BlockEvent/injected(_:)`` before each fault, so that logs tell faults
  ///     from failures.
  public init(
    _ faults: [InjectedFault] = [], clock: C = ContinuousClock(),
    onEvent: (@Sendable (BlockEvent) -> Void)? = nil
  ) {
    self.clock = clock
    observer = EventObserver(onEvent)
    state = Lock(faults)
  }

  /// The faults of calls that begin from now on.
  ///
  /// Any thread may read and set it. Two that change what they have read, as `append` does, may lose
  /// a change.
  public var faults: [InjectedFault] {
    get { state.withLock { $0 } }
    set { state.withLock { $0 = newValue } }
  }

  /// Performs an operation, or a fault in its place.
  ///
  /// The operation runs in the task of the caller, on its actor.
  ///
  /// - Parameter operation: The call of the service.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation or of a fault; `CancellationError` if the task is cancelled
  ///   during a latency.
  nonisolated(nonsending) public func run<Return: ~Copyable>(
    operation: nonisolated(nonsending) () async throws -> Return
  ) async throws -> Return {
    _ = try await inject(replacesOutcome: false)
    return try await operation()
  }

  /// Performs an operation, or a fault in its place, which may be another outcome.
  ///
  /// Both closures run in the task of the caller, on its actor.
  ///
  /// - Parameters:
  ///   - operation: The call of the service.
  ///   - outcome: Has a result in place of the call's, or throws an error, for
  ///     ``InjectedFault/outcome(share:)``.
  /// - Returns: The result of the operation, or of `outcome`.
  /// - Throws: The error of the operation, of `outcome`, or of a fault; `CancellationError` if the
  ///   task is cancelled during a latency.
  nonisolated(nonsending) public func run<Return: ~Copyable>(
    operation: nonisolated(nonsending) () async throws -> Return,
    outcome: nonisolated(nonsending) () async throws -> Return
  ) async throws -> Return {
    let isReplaced = try await inject(replacesOutcome: true)
    return try await isReplaced ? outcome() : operation()
  }

  /// Returns whether the call is to have another outcome.
  nonisolated(nonsending) private func inject(replacesOutcome: Bool) async throws -> Bool {
    for fault in faults where Double.random(in: 0..<1) < fault.share {
      if case .outcome = fault.kind, !replacesOutcome { continue }
      observer.tell(.injected(fault))
      switch fault.kind {
      case .latency(let range):
        let shortest = range.lowerBound.nanosecondsRoundedUp
        let longest = max(shortest, range.upperBound.wholeNanoseconds)
        try await clock.sleep(for: .nanoseconds(Int64.random(in: shortest...longest)))
      case .error(let error): throw error
      case .outcome: return true
      }
    }
    return false
  }
}
