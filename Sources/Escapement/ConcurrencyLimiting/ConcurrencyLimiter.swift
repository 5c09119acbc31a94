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
  /// The turn that a task waits for.
  private typealias Turn = FirstResult<Void>
  private typealias Machine = ConcurrencyStateMachine<Turn>

  private let clock: C
  private let origin: C.Instant
  private let isAdaptive: Bool
  let hasMaximumDelay: Bool
  private let measuresTime: Bool
  private let isOverload: @Sendable (any Error) -> Bool
  private let observer: EventObserver
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
  ///     So a server with too much to do answers some calls at once instead of all too late. This is
  ///     how Facebook's servers use CoDel (Nichols, Jacobson: *Controlling Queue Delay*, 2012;
  ///     Maurer: *Fail at Scale*, 2015).
  ///   - clock: The clock that measures how long operations take, for a limit that adapts, and tasks
  ///     wait.
  ///   - isOverload: Whether an error means that the service has too much to do; by default, an
  ///     expired deadline does. A limit that adapts shrinks then. The times of other failed
  ///     operations do not count.
  ///   - onEvent: Called for each event of a call.
  /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
  public init(
    _ limit: ConcurrencyLimit, maximumWaiting: Int = .max, maximumDelay: Duration? = nil,
    clock: C = ContinuousClock(),
    countingAsOverload isOverload: @escaping @Sendable (any Error) -> Bool = {
      $0 is DeadlineExpiredError
    },
    onEvent: (@Sendable (BlockEvent) -> Void)? = nil
  ) throws(InvalidArgumentError) {
    try Self.check(maximumWaiting, maximumDelay)
    let algorithm = try limit.makeAlgorithm()
    isAdaptive = algorithm.isAdaptive
    hasMaximumDelay = maximumDelay != nil
    measuresTime = isAdaptive || hasMaximumDelay
    self.clock = clock
    origin = clock.now
    self.isOverload = isOverload
    observer = EventObserver(onEvent)
    machine = Lock(
      Machine(
        algorithm: algorithm, maximumWaiting: maximumWaiting,
        maximumDelay: maximumDelay?.nanosecondsRoundedUp))
  }

  private static func check(
    _ maximumWaiting: Int?, _ maximumDelay: Duration?
  ) throws(InvalidArgumentError) {
    if let maximumWaiting, maximumWaiting < 0 {
      throw InvalidArgumentError("maximumWaiting", maximumWaiting, mustBe: "zero or positive")
    }
    if let maximumDelay, maximumDelay <= .zero {
      throw InvalidArgumentError("maximumDelay", maximumDelay, mustBe: "positive")
    }
  }

  /// Goes on with another limit, for example after the configuration has changed.
  ///
  /// Tasks that wait begin as soon as the new limit lets them. Operations beyond a smaller limit go
  /// on to their ends, and tasks that wait already may do so for as long as before. A limit that
  /// adapts begins anew.
  ///
  /// - Parameters:
  ///   - limit: The new limit. One that adapts takes the place of one that adapts, and a fixed one
  ///     that of a fixed one.
  ///   - maximumWaiting: How many tasks may wait; `nil` for as many as before.
  ///   - maximumDelay: How long a task may wait; `nil` for as long as before. It takes the place of
  ///     one that the limiter was made with.
  /// - Throws: `InvalidArgumentError`, which names the argument that is not valid.
  public func replaceLimit(
    with limit: ConcurrencyLimit, maximumWaiting: Int? = nil, maximumDelay: Duration? = nil
  ) throws(InvalidArgumentError) {
    try Self.check(maximumWaiting, maximumDelay)
    guard maximumDelay == nil || hasMaximumDelay else {
      throw InvalidArgumentError(
        "maximumDelay", maximumDelay!, mustBe: "nil, because the limiter was made without one")
    }
    let algorithm = try limit.makeAlgorithm()
    guard algorithm.isAdaptive == isAdaptive else {
      throw InvalidArgumentError(
        "limit", isAdaptive ? "fixed" : "one that adapts",
        mustBe: isAdaptive ? "one that adapts" : "fixed")
    }
    let now = now
    end(
      machine.withLock {
        $0.replace(
          algorithm, maximumWaiting: maximumWaiting,
          maximumDelay: maximumDelay?.nanosecondsRoundedUp, at: now)
      })
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
    try await observer.admit { try await enter(priority) }
    observer.tell(.begun)
    let start = now
    do {
      let result = try await operation()
      let (time, isLong) = now.subtractingReportingOverflow(start)
      observer.tell(.ended(nil))
      leave(measuresTime ? (isLong ? .max : time, false) : nil)
      return result
    } catch {
      observer.tell(.ended(error))
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
    // Made only by a task that waits.
    lazy var turn = Turn()
    let now = now
    let (admission, displaced) = machine.withLock { $0.admit(turn, priority, at: now) }
    displaced?.set(.failure(ConcurrencyLimitError(.displaced)))
    switch admission {
    case .running: return
    case .refused: throw ConcurrencyLimitError(.manyWait)
    case .queued(let place):
      let turn = turn
      try await observer.wait(on: clock) {
        try await withTaskCancellationHandler {
          try await turn.value
        } onCancel: {
          guard machine.withLock({ $0.cancel(place) }) else { return }
          turn.set(.failure(CancellationError()))
        }
      }
    }
  }

  private func leave(_ sample: (time: Int64, isOverload: Bool)?) {
    let now = now
    end(machine.withLock { $0.finished(sample, at: now) })
  }

  private func end(_ waits: [(waiter: Turn, hasTurn: Bool)]) {
    for (turn, hasCome) in waits {
      turn.set(hasCome ? .success(()) : .failure(ConcurrencyLimitError(.waitedTooLong)))
    }
  }
}
