import _EscapementCore

/// Performs an operation, and stops waiting for the operation when a deadline expires.
///
/// When the deadline expires or the caller is cancelled, the function cancels the operation and
/// **throws at once**. The operation may still run afterwards. Use this function for operations
/// that ignore cancellation, if no other code depends on their end. For all others use
/// `withDeadline`.
///
/// The operation runs as an unstructured task, on the actor on which its closure was written.
///
/// - `expiration`: The instant at which the function stops waiting.
/// - `tolerance`: By how much that may be late.
/// - `clock`: The clock of the deadline.
/// - `fileID`, `line`: The source location that the error names; by default that of the caller.
/// - `operation`: The work that has to end before the deadline.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation; ``DeadlineExpiredError``; or `CancellationError` when the
///   caller is cancelled.
nonisolated(nonsending) public func withUnstructuredDeadline<Return: Sendable, C: Clock>(
  _ expiration: C.Instant,
  tolerance: Duration? = nil,
  clock: C = ContinuousClock(),
  fileID: StaticString = #fileID,
  line: UInt = #line,
  @_inheritActorContext operation: @escaping @Sendable @isolated(any) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  try Task.checkCancellation()
  let allowance = clock.now.duration(to: expiration)
  let result = FirstResult<Return>()
  let expiry = DeadlineExpiry()
  let deadlines = ActiveDeadlines.current.adding(expiration, of: clock, expiry: expiry)
  let task = ActiveDeadlines.$current.withValue(deadlines) {
    Task(name: "withUnstructuredDeadline") {
      defer { expiry.operationHasEnded() }
      do {
        result.set(.success(try await operation()))
      } catch {
        result.set(.failure(error))
      }
    }
  }
  let timer = Task(name: "Deadline") {
    try await clock.sleep(until: clock.reachable(expiration), tolerance: tolerance)
    expiry.happen()
    result.set(
      .failure(
        DeadlineExpiredError(
          deadline: expiration, allowance: allowance, fileID: fileID, line: line)))
  }
  defer {
    task.cancel()
    timer.cancel()
  }
  return try await withTaskCancellationHandler {
    try await result.value
  } onCancel: {
    result.set(.failure(CancellationError()))
  }
}

/// Performs an operation, and stops waiting for the operation after a duration.
///
/// The same as ``withUnstructuredDeadline(_:tolerance:clock:fileID:line:operation:)`` with a
/// deadline that is `duration` after now.
///
/// - `duration`: The time after which the function stops waiting.
/// - `tolerance`: By how much that may be late.
/// - `clock`: The clock that measures the time.
/// - `fileID`, `line`: The source location that the error names; by default that of the caller.
/// - `operation`: The work that has to end in this time.
/// - Returns: The result of the operation.
/// - Throws: The error of the operation; ``DeadlineExpiredError``; or `CancellationError` when the
///   caller is cancelled.
nonisolated(nonsending) public func withUnstructuredDeadline<Return: Sendable, C: Clock>(
  in duration: Duration,
  tolerance: Duration? = nil,
  clock: C = ContinuousClock(),
  fileID: StaticString = #fileID,
  line: UInt = #line,
  @_inheritActorContext operation: @escaping @Sendable @isolated(any) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  try await withUnstructuredDeadline(
    clock.instant(in: duration), tolerance: tolerance, clock: clock, fileID: fileID, line: line,
    operation: operation)
}
