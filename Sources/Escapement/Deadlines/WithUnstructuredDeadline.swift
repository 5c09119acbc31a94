import _EscapementCore

/// Performs an operation, and returns without it when a deadline expires.
///
/// When the deadline expires or the caller is cancelled, the operation is cancelled and **left
/// behind**: the call returns at once, and the operation ends when it likes. Use it for operations
/// that do not listen to cancellation, when nothing depends on their having ended. All others are
/// better off with ``withDeadline(_:tolerance:clock:fileID:line:operation:)``.
///
/// - The operation runs on the actor that its closure was written on, as an unstructured task.
///
/// - Parameters:
///   - expiration: The instant at which the operation is left behind.
///   - tolerance: How much later that may be.
///   - clock: The clock of the deadline.
///   - fileID: The caller's file, which the error names.
///   - line: The caller's line, which the error names.
///   - operation: What has to be done by then.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws; ``DeadlineExpiredError``; or `CancellationError` when the
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
  let task = Task(name: "withUnstructuredDeadline") {
    do {
      result.set(.success(try await operation()))
    } catch {
      result.set(.failure(error))
    }
  }
  let timer = Task(name: "Deadline") {
    try await clock.sleep(until: clock.reachable(expiration), tolerance: tolerance)
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

/// Performs an operation, and returns without it when a time has passed.
///
/// The same as ``withUnstructuredDeadline(_:tolerance:clock:fileID:line:operation:)`` with a
/// deadline that lies so far ahead.
///
/// - Parameters:
///   - duration: The time after which the operation is left behind.
///   - tolerance: How much later that may be.
///   - clock: The clock that measures the time.
///   - fileID: The caller's file, which the error names.
///   - line: The caller's line, which the error names.
///   - operation: What has to be done by then.
/// - Returns: What the operation returns.
/// - Throws: What the operation throws; ``DeadlineExpiredError``; or `CancellationError` when the
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

/// The first of several results that come from anywhere, for one task that waits.
private final class FirstResult<Value: Sendable>: Sendable {
  private enum State {
    case none
    case awaited(UnsafeContinuation<Value, any Error>)
    case some(Result<Value, any Error>)
  }

  private let state = Lock(State.none)

  func set(_ result: Result<Value, any Error>) {
    let continuation: UnsafeContinuation<Value, any Error>? = state.withLock { state in
      switch state {
      case .none:
        state = .some(result)
        return nil
      case .awaited(let continuation):
        state = .some(result)
        return continuation
      case .some:
        // Only the first counts.
        return nil
      }
    }
    continuation?.resume(with: result)
  }

  var value: Value {
    get async throws {
      try await withUnsafeThrowingContinuation { continuation in
        let result: Result<Value, any Error>? = state.withLock { state in
          guard case .some(let result) = state else {
            state = .awaited(continuation)
            return nil
          }
          return result
        }
        if let result { continuation.resume(with: result) }
      }
    }
  }
}
