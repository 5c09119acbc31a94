/// Performs an operation, and cancels the operation when a deadline expires.
///
/// ```swift
/// let image = try await withDeadline(requestDeadline) { try await download(url) }
/// ```
///
/// The function cancels the operation and **waits for its end**, so that no part of it still runs
/// afterwards. If the operation ignores its cancellation, the function returns late. To return
/// without waiting, use ``withUnstructuredDeadline(_:tolerance:clock:fileID:line:operation:)``.
///
/// The function returns or throws what the operation returns or throws, with one exception. When
/// the deadline has expired and the operation throws, the function throws a
/// ``DeadlineExpiredError``, which contains the error of the operation. When the caller was
/// cancelled before that, it throws the error of the operation.
///
/// - The operation runs on the actor of the caller, as a child task. It inherits task-local values
///   and the priority.
/// - Deadlines may be nested, even if they use different clocks. The first one to expire cancels.
/// - An operation whose deadline has already passed begins as a cancelled task.
/// - The operation can read the deadline, with `Task.activeDeadline(for:)`, and learn that it has
///   expired, from `Task.cancellationReason`.
///
/// The labels are those of the proposal SE-0526; <doc:SettingDeadlines> says what changes when the
/// standard library has it. There, the function throws what the operation throws, and so has the
/// operation's type of errors; the expiry is the `reason` of a `CancellationError`. That needs a
/// runtime in which a cancellation carries its reason. And an operation that throws an error of its
/// own when it is cancelled, as `URLSession` does, hides the expiry even
/// there. Here the caller always learns of it. So the function throws errors of two types, which
/// `throws(Failure)` cannot say.
///
/// - `expiration`: The instant at which the operation is cancelled.
/// - `tolerance`: By how much the cancellation may be late.
/// - `clock`: The clock of the deadline.
/// - `fileID`, `line`: The source location that the error names; by default that of the caller.
/// - `body`: The operation, which has to end before the deadline.
/// - Returns: The result of the operation, even if the operation ends after the deadline.
/// - Throws: The error of the operation, or ``DeadlineExpiredError``.
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, C: Clock>(
  _ expiration: C.Instant,
  tolerance: Duration? = nil,
  clock: C = ContinuousClock(),
  fileID: StaticString = #fileID,
  line: UInt = #line,
  body: nonisolated(nonsending) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  let allowance = clock.now.duration(to: expiration)
  let isolation = #isolation
  // Safe because only one child task performs the operation, and the caller waits for it. The
  // closure is needed because `withoutActuallyEscaping` does not keep the isolation of its
  // argument.
  nonisolated(unsafe) let body = body
  let operation: @Sendable () async throws -> Return = { try await body() }
  let expiry = DeadlineExpiry()
  let deadlines = ActiveDeadlines.current.adding(expiration, of: clock, expiry: expiry)
  return try await withoutActuallyEscaping(operation) { operation in
    let execution = Execution(of: operation, deadlines: deadlines)
    let ending = await withTaskGroup(of: Ending.self) { group in
      guard allowance > .zero else {
        let ending = Task.isCancelled ? Ending.cancelled : .expired
        if ending == .expired { expiry.happen() }
        group.cancelAll()
        group.addTask {
          await execution.run(on: isolation)
          return .finished
        }
        await group.waitForAll()
        return ending
      }
      group.addTask {
        await execution.run(on: isolation)
        return .finished
      }
      group.addTask { await expire(clock.reachable(expiration), tolerance, clock) }
      let ending = await group.next()!
      if ending == .expired { expiry.happen() }
      group.cancelAll()
      await group.waitForAll()
      return ending
    }
    expiry.operationHasEnded()
    do {
      return try execution.takeResult()
    } catch  where ending == .expired {
      throw DeadlineExpiredError(
        deadline: expiration, allowance: allowance, operationError: error, fileID: fileID,
        line: line)
    }
  }
}

/// Performs an operation, and cancels the operation after a duration.
///
/// The same as `withDeadline` with a deadline that is
/// `duration` after now.
///
/// ```swift
/// let image = try await withDeadline(in: .seconds(5)) { try await download(url) }
/// ```
///
/// - `duration`: The time after which the operation is cancelled. If it is not positive, the
///   operation begins as a cancelled task.
/// - `tolerance`: By how much the cancellation may be late.
/// - `clock`: The clock that measures the time.
/// - `fileID`, `line`: The source location that the error names; by default that of the caller.
/// - `body`: The operation, which has to end in this time.
/// - Returns: The result of the operation, even if the operation ends after the deadline.
/// - Throws: The error of the operation, or ``DeadlineExpiredError``.
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, C: Clock>(
  in duration: Duration,
  tolerance: Duration? = nil,
  clock: C = ContinuousClock(),
  fileID: StaticString = #fileID,
  line: UInt = #line,
  body: nonisolated(nonsending) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  try await withDeadline(
    clock.instant(in: duration), tolerance: tolerance, clock: clock, fileID: fileID, line: line,
    body: body)
}

/// Performs an operation, and cancels the operation when a deadline expires, if there is one.
///
/// Without a deadline the operation runs in the task of the caller, and its error is thrown. With
/// one, the function is the same as `withDeadline`.
///
/// - `expiration`: The instant at which the operation is cancelled; `nil` if there is none.
/// - `tolerance`: By how much the cancellation may be late.
/// - `clock`: The clock of the deadline.
/// - `fileID`, `line`: The source location that the error names; by default that of the caller.
/// - `body`: The operation, which has to end before the deadline.
/// - Returns: The result of the operation, even if the operation ends after the deadline.
/// - Throws: The error of the operation, or ``DeadlineExpiredError``.
@_disfavoredOverload
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, C: Clock>(
  _ expiration: C.Instant?,
  tolerance: Duration? = nil,
  clock: C = ContinuousClock(),
  fileID: StaticString = #fileID,
  line: UInt = #line,
  body: nonisolated(nonsending) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  guard let expiration else { return try await body() }
  return try await withDeadline(
    expiration, tolerance: tolerance, clock: clock, fileID: fileID, line: line, body: body)
}

/// The first event: the end of the operation, the deadline, or the cancellation of the caller.
private enum Ending {
  case finished, expired, cancelled
}

private func expire<C: Clock>(
  _ expiration: C.Instant, _ tolerance: C.Duration?, _ clock: C
) async -> Ending {
  do {
    try await clock.sleep(until: expiration, tolerance: tolerance)
    return .expired
  } catch {
    return .cancelled
  }
}

/// An operation and its result.
///
/// Unchecked because one child task runs the operation, and the caller takes the result after the
/// end of that task. The end of the task group orders the two.
final class Execution<Return: ~Copyable>: @unchecked Sendable {
  private let operation: () async throws -> Return
  private let deadlines: ActiveDeadlines
  private var result: Result<Return, any Error>?

  init(of operation: @escaping () async throws -> Return, deadlines: ActiveDeadlines) {
    self.operation = operation
    self.deadlines = deadlines
  }

  func run(on isolation: isolated (any Actor)?) async {
    await ActiveDeadlines.$current.withValue(deadlines) {
      do {
        result = .success(try await operation())
      } catch {
        result = .failure(error)
      }
    }
  }

  func takeResult() throws -> Return {
    try result.take()!.get()
  }
}
