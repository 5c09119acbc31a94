import _EscapementCore

/// Limits how many operations run at the same time (also called a bulkhead).
///
/// ```swift
/// let limiter = try ConcurrencyLimiter(.fixed(8), maximumWaiting: 100)
/// let row = try await limiter.run { try await database.query(sql) }
/// ```
///
/// - **First come, first served.** Tasks that wait get their turn in the order of their calls.
/// - **Nothing is lost.** A task that is cancelled while it waits leaves the queue. A task whose
///   turn has come performs its operation, even if it is cancelled at that moment.
/// - **No recursion.** An operation that calls the limiter needs another place, and may wait for
///   itself. Do not nest calls of one limiter.
///
/// - Complexity: O(1) for each call.
public final class ConcurrencyLimiter<C: Clock<Duration>>: Sendable {
  private typealias Machine = ConcurrencyStateMachine<ConcurrencyWaiter>

  private let clock: C
  private let measuresTime: Bool
  private let isOverload: @Sendable (any Error) -> Bool
  private let machine: Lock<Machine>

  /// Creates a limiter.
  ///
  /// - Parameters:
  ///   - limit: How many operations may run at the same time.
  ///   - maximumWaiting: How many tasks may wait. Further ones are refused. With 0 no task waits.
  ///   - clock: The clock that measures how long operations take, for a limit that adapts.
  ///   - isOverload: Whether an error means that the service has too much to do; by default, an
  ///     expired deadline does. A limit that adapts shrinks then. The times of other failed
  ///     operations do not count.
  /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
  public init(
    _ limit: ConcurrencyLimit, maximumWaiting: Int = .max, clock: C = ContinuousClock(),
    countingAsOverload isOverload: @escaping @Sendable (any Error) -> Bool = {
      $0 is DeadlineExpiredError
    }
  ) throws(InvalidArgumentError) {
    guard maximumWaiting >= 0 else {
      throw InvalidArgumentError("maximumWaiting", maximumWaiting, mustBe: "zero or positive")
    }
    let algorithm = try limit.makeAlgorithm()
    if case .vegas = algorithm { measuresTime = true } else { measuresTime = false }
    self.clock = clock
    self.isOverload = isOverload
    machine = Lock(Machine(algorithm: algorithm, maximumWaiting: maximumWaiting))
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
  /// - Parameter operation: The operation.
  /// - Returns: The result of the operation.
  /// - Throws: The error of the operation; ``ConcurrencyLimitError`` if too many tasks wait; or
  ///   `CancellationError` when the task is cancelled before its turn has come.
  nonisolated(nonsending) public func run<Return: ~Copyable>(
    operation: nonisolated(nonsending) () async throws -> Return
  ) async throws -> Return {
    try await enter()
    let start = measuresTime ? clock.now : nil
    do {
      let result = try await operation()
      leave(start.map { (time(since: $0), false) })
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
  private func time(since start: C.Instant) -> Int64 {
    start.duration(to: clock.now).wholeNanoseconds
  }

  nonisolated(nonsending) private func enter() async throws {
    try Task.checkCancellation()
    let waiter = ConcurrencyWaiter()
    switch machine.withLock({ $0.admit(waiter) }) {
    case .running: return
    case .refused: throw ConcurrencyLimitError()
    case .queued(let id): try await suspend(waiter, id)
    }
  }

  nonisolated(nonsending) private func suspend(_ waiter: ConcurrencyWaiter, _ id: Int) async throws
  {
    let hasTurn = await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let hasTurn = machine.withLock { _ in waiter.suspend(continuation) }
        if let hasTurn { continuation.resume(returning: hasTurn) }
      }
    } onCancel: {
      let continuation = machine.withLock { $0.cancel(id) ? waiter.end(hasTurn: false) : nil }
      continuation?.resume(returning: false)
    }
    if !hasTurn { throw CancellationError() }
  }

  private func leave(_ sample: (time: Int64, isOverload: Bool)?) {
    let continuations = machine.withLock { machine in
      machine.finished(sample).compactMap { $0.end(hasTurn: true) }
    }
    for continuation in continuations { continuation.resume(returning: true) }
  }
}

/// A task that waits for its turn.
///
/// Unchecked because the lock of the limiter guards all its state.
private final class ConcurrencyWaiter: @unchecked Sendable {
  private var hasTurn: Bool?
  private var continuation: UnsafeContinuation<Bool, Never>?

  /// Keeps the continuation, or returns the outcome if the wait has ended already.
  func suspend(_ continuation: UnsafeContinuation<Bool, Never>) -> Bool? {
    if hasTurn == nil { self.continuation = continuation }
    return hasTurn
  }

  /// Ends the wait.
  ///
  /// Returns the continuation to resume, if the task has suspended.
  func end(hasTurn: Bool) -> UnsafeContinuation<Bool, Never>? {
    self.hasTurn = hasTurn
    return continuation
  }
}

/// A concurrency limiter has refused an operation, because too many tasks wait.
public struct ConcurrencyLimitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Creates an error, for a test or a limiter of your own.
  public init() {}

  /// A sentence that says what happened and what to do.
  public var description: String {
    """
    The concurrency limiter has refused the operation, because as many tasks wait as 'maximumWaiting' \
    allows. Try again later, or answer that the service is busy.
    """
  }
}
