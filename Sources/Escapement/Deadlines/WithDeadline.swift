/// Performs an operation, and cancels it when a deadline expires.
///
/// ```swift
/// let image = try await withDeadline(requestDeadline) { try await download(url) }
/// ```
///
/// The operation is cancelled, and then **waited for**: nothing of it is left behind, and the call
/// returns late if the operation does not listen to its cancellation. The form that does not wait is
/// ``withUnstructuredDeadline(_:tolerance:clock:fileID:line:operation:)``.
///
/// What the operation returns or throws is returned or thrown, with one exception: when the deadline
/// has expired, a `CancellationError` becomes a ``DeadlineExpiredError``, which says which deadline
/// it was. When the caller was cancelled before that, the `CancellationError` is passed on.
///
/// - The operation runs on the actor of the caller, as a child task: it inherits task-local values
///   and the priority.
/// - Deadlines may be nested, also those of different clocks; the first to expire cancels.
/// - An operation whose deadline has passed already begins as a cancelled task.
///
/// The shape is that of Swift Evolution's SE-0526, so that a call moves to the standard library by
/// deleting an import. There, expiry shows as the operation's own error.
///
/// - Parameters:
///   - expiration: The instant at which the operation is cancelled.
///   - tolerance: How much later that may be.
///   - clock: The clock of the deadline.
///   - fileID: The caller's file, which the error names.
///   - line: The caller's line, which the error names.
///   - operation: What has to be done by then.
/// - Returns: What the operation returns, also when that is after the deadline.
/// - Throws: What the operation throws, or ``DeadlineExpiredError``.
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, C: Clock>(
  _ expiration: C.Instant,
  tolerance: Duration? = nil,
  clock: C = ContinuousClock(),
  fileID: StaticString = #fileID,
  line: UInt = #line,
  operation: nonisolated(nonsending) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  let allowance = clock.now.duration(to: expiration)
  let isolation = #isolation
  // Only one child task performs the operation, and the caller waits for it. The closure is there
  // because `withoutActuallyEscaping` does not keep the isolation of a function it is given.
  nonisolated(unsafe) let operation = operation
  let body: @Sendable () async throws -> Return = { try await operation() }
  return try await withoutActuallyEscaping(body) { body in
    let performance = Performance(of: body)
    let ending = await withTaskGroup(of: Ending.self) { group in
      guard allowance > .zero else {
        group.cancelAll()
        group.addTask { await performance.run(on: isolation) }
        await group.waitForAll()
        return Ending.expired
      }
      group.addTask { await performance.run(on: isolation) }
      group.addTask { await expire(clock.reachable(expiration), tolerance, clock) }
      let ending = await group.next()
      group.cancelAll()
      await group.waitForAll()
      return ending!
    }
    do {
      return try performance.takeResult()
    } catch is CancellationError where ending == .expired {
      throw DeadlineExpiredError(
        deadline: expiration, allowance: allowance, fileID: fileID, line: line)
    }
  }
}

/// Performs an operation, and cancels it when a time has passed.
///
/// The same as ``withDeadline(_:tolerance:clock:fileID:line:operation:)`` with a deadline that lies
/// so far ahead.
///
/// ```swift
/// let image = try await withDeadline(in: .seconds(5)) { try await download(url) }
/// ```
///
/// - Parameters:
///   - duration: The time after which the operation is cancelled. If it is not positive, the
///     operation begins as a cancelled task.
///   - tolerance: How much later that may be.
///   - clock: The clock that measures the time.
///   - fileID: The caller's file, which the error names.
///   - line: The caller's line, which the error names.
///   - operation: What has to be done by then.
/// - Returns: What the operation returns, also when that is after the deadline.
/// - Throws: What the operation throws, or ``DeadlineExpiredError``.
nonisolated(nonsending) public func withDeadline<Return: ~Copyable, C: Clock>(
  in duration: Duration,
  tolerance: Duration? = nil,
  clock: C = ContinuousClock(),
  fileID: StaticString = #fileID,
  line: UInt = #line,
  operation: nonisolated(nonsending) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  try await withDeadline(
    clock.instant(in: duration), tolerance: tolerance, clock: clock, fileID: fileID, line: line,
    operation: operation)
}

/// What came first: the end of the operation, the deadline, or the cancellation of the caller.
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
/// Unchecked because one child task alone runs it, and its result is taken after that task has
/// ended; the end of a task group orders the two.
private final class Performance<Return: ~Copyable>: @unchecked Sendable {
  private let operation: () async throws -> Return
  private var result: Result<Return, any Error>?

  init(of operation: @escaping () async throws -> Return) {
    self.operation = operation
  }

  func run(on isolation: isolated (any Actor)?) async -> Ending {
    do {
      result = .success(try await operation())
    } catch {
      result = .failure(error)
    }
    return .finished
  }

  func takeResult() throws -> Return {
    try result.take()!.get()
  }
}
