import _EscapementCore

/// Limits how many operations run at the same time (also called a bulkhead).
///
/// ```swift
/// let limiter = try ConcurrencyLimiter(.fixed(8), maximumWaiting: 100)
/// let row = try await limiter.run { try await database.query(sql) }
/// ```
///
/// - **First come, first served.** Tasks that wait get their turn in the order of their calls, those
///   with the highest priority first.
/// - **Nothing is lost.** A task that is cancelled while it waits leaves the queue. A task whose
///   turn has come performs its operation, even if it is cancelled at that moment.
/// - **No recursion.** An operation that calls the limiter needs another place, and may wait for
///   itself. Do not nest calls of one limiter.
///
/// - Complexity: O(1) for each call.
public final class ConcurrencyLimiter<C: Clock<Duration>>: Sendable {
  private typealias Machine = ConcurrencyStateMachine<ConcurrencyWaiter>

  private let clock: C
  private let origin: C.Instant
  private let measuresTime: Bool
  private let isOverload: @Sendable (any Error) -> Bool
  private let machine: Lock<Machine>

  /// Creates a limiter.
  ///
  /// - Parameters:
  ///   - limit: How many operations may run at the same time.
  ///   - maximumWaiting: How many tasks may wait. Further ones are refused, or take the place of the
  ///     last one with a lower priority. With 0 no task waits.
  ///   - maximumDelay: How long a task may wait; positive, or `nil` for any time. One that has waited
  ///     for longer is refused when an operation ends, as soon as it is the first of its priority.
  ///     While tasks of its priority have waited all that time, a new one may wait for a twentieth of
  ///     it: else all would wait just too long.
  ///     So a server with too much to do answers some calls at once instead of all too late.
  ///   - clock: The clock that measures how long operations take, for a limit that adapts, and tasks
  ///     wait.
  ///   - isOverload: Whether an error means that the service has too much to do; by default, an
  ///     expired deadline does. A limit that adapts shrinks then. The times of other failed
  ///     operations do not count.
  /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
  public init(
    _ limit: ConcurrencyLimit, maximumWaiting: Int = .max, maximumDelay: Duration? = nil,
    clock: C = ContinuousClock(),
    countingAsOverload isOverload: @escaping @Sendable (any Error) -> Bool = {
      $0 is DeadlineExpiredError
    }
  ) throws(InvalidArgumentError) {
    guard maximumWaiting >= 0 else {
      throw InvalidArgumentError("maximumWaiting", maximumWaiting, mustBe: "zero or positive")
    }
    if let maximumDelay, maximumDelay <= .zero {
      throw InvalidArgumentError("maximumDelay", maximumDelay, mustBe: "positive")
    }
    let algorithm = try limit.makeAlgorithm()
    if case .vegas = algorithm { measuresTime = true } else { measuresTime = maximumDelay != nil }
    self.clock = clock
    origin = clock.now
    self.isOverload = isOverload
    machine = Lock(
      Machine(
        algorithm: algorithm, maximumWaiting: maximumWaiting,
        maximumDelay: maximumDelay?.nanosecondsRoundedUp))
  }

  /// How many operations may run at present.
  public var limit: Int { machine.withLock { $0.algorithm.limit } }

  /// How many operations run.
  public var running: Int { machine.withLock { $0.running } }

  /// How many tasks wait for their turn.
  public var waiting: Int { machine.withLock { $0.waiting } }

  /// Performs an operation when its turn has come.
  ///
  /// The operation runs in the task of the caller, on its actor. To bound the wait, call the
  /// function inside of `withDeadline`.
  ///
  /// - Parameters:
  ///   - priority: Who goes first of the tasks that wait, whatever their own priorities; among equal
  ///     ones, the one that came first.
  ///   - operation: The operation.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation; ``ConcurrencyLimitError`` if it is refused; or
  ///   `CancellationError` when the task is cancelled before its turn has come.
  nonisolated(nonsending) public func run<Return: ~Copyable>(
    priority: TaskPriority = .medium, operation: nonisolated(nonsending) () async throws -> Return
  ) async throws -> Return {
    try await enter(priority)
    let start = now
    do {
      let result = try await operation()
      let (time, isLong) = now.subtractingReportingOverflow(start)
      leave(measuresTime ? (isLong ? .max : time, false) : nil)
      return result
    } catch {
      let isExpired = Task.isCancelled && Task.cancellationReason == .deadlineExpired
      let isOverload = measuresTime && (isExpired || isOverload(error))
      leave(isOverload ? (0, true) : nil)
      throw error
    }
  }
}

extension ConcurrencyLimiter {
  /// The time since the limiter was made, or 0 if it does not matter.
  private var now: Int64 { measuresTime ? origin.duration(to: clock.now).wholeNanoseconds : 0 }

  nonisolated(nonsending) private func enter(_ priority: TaskPriority) async throws {
    try Task.checkCancellation()
    let waiter = ConcurrencyWaiter()
    let now = now
    let (admission, displaced) = machine.withLock { machine in
      let (admission, displaced) = machine.admit(waiter, priority, at: now)
      return (admission, displaced?.end(.refused(.displaced)))
    }
    displaced?.resume(returning: .refused(.displaced))
    switch admission {
    case .running: return
    case .refused: throw ConcurrencyLimitError(.manyWait)
    case .queued(let place): try await suspend(waiter, place)
    }
  }

  nonisolated(nonsending) private func suspend(
    _ waiter: ConcurrencyWaiter, _ place: ConcurrencyQueue<ConcurrencyWaiter>.Place
  ) async throws {
    let outcome = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let outcome = machine.withLock { _ in waiter.suspend(continuation) }
        if let outcome { continuation.resume(returning: outcome) }
      }
    } onCancel: {
      let continuation = machine.withLock { $0.cancel(place) ? waiter.end(.cancelled) : nil }
      continuation?.resume(returning: .cancelled)
    }
    switch outcome {
    case .hasTurn: return
    case .cancelled: throw CancellationError()
    case .refused(let reason): throw ConcurrencyLimitError(reason)
    }
  }

  private func leave(_ sample: (time: Int64, isOverload: Bool)?) {
    let now = now
    let ended = machine.withLock { machine in
      machine.finished(sample, at: now).compactMap { waiter, hasTurn in
        let outcome = hasTurn ? ConcurrencyWaiter.Outcome.hasTurn : .refused(.waitedTooLong)
        return waiter.end(outcome).map { ($0, outcome) }
      }
    }
    for (continuation, outcome) in ended { continuation.resume(returning: outcome) }
  }
}

/// A task that waits for its turn.
///
/// Unchecked because the lock of the limiter guards all its state.
private final class ConcurrencyWaiter: @unchecked Sendable {
  enum Outcome {
    case hasTurn, cancelled
    case refused(ConcurrencyLimitError.Reason)
  }

  private var outcome: Outcome?
  private var continuation: UnsafeContinuation<Outcome, Never>?

  /// Keeps the continuation, or returns the outcome if the wait has ended already.
  func suspend(_ continuation: UnsafeContinuation<Outcome, Never>) -> Outcome? {
    if outcome == nil { self.continuation = continuation }
    return outcome
  }

  /// Ends the wait.
  ///
  /// Returns the continuation to resume, if the task has suspended.
  func end(_ outcome: Outcome) -> UnsafeContinuation<Outcome, Never>? {
    self.outcome = outcome
    return continuation
  }
}
