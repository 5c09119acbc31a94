import _EscapementCore

/// Performs an operation until it succeeds, with a delay before each further attempt.
///
/// ```swift
/// let forecast = try await retry(maximumAttempts: 5) { try await client.forecast() }
/// ```
///
/// - Cancellation is never retried: a `CancellationError` is passed on, and when the task has been
///   cancelled while an attempt failed otherwise, one is thrown.
/// - The operation runs on the actor of the caller, and so does the classification.
/// - With a deadline, an attempt that is under way then is cancelled and waited for, as with
///   ``withDeadline(_:tolerance:clock:fileID:line:operation:)``; and an attempt that could not begin
///   before it is not waited for.
///
/// - Parameters:
///   - maximumAttempts: How often the operation is performed at most, with the first time; 1 or
///     more.
///   - backoff: The delays between the end of an attempt and the beginning of the next.
///   - deadline: When all attempts have to be over.
///   - clock: The clock that measures the delays and the deadline.
///   - fileID: The caller's file, which the error of the deadline names.
///   - line: The caller's line, which the error of the deadline names.
///   - classify: Decides what follows from an error. By default every error is retried.
///   - operation: What is to be done.
/// - Returns: What the operation returns.
/// - Throws: ``RetryError`` with the errors of all attempts; `CancellationError`; or
///   ``InvalidArgumentError`` before the first attempt.
nonisolated(nonsending) public func retry<Return: ~Copyable, C: Clock>(
  maximumAttempts: Int = 3,
  backoff: Backoff = .fullJitter(base: .milliseconds(100), cap: .seconds(20)),
  before deadline: C.Instant? = nil,
  clock: C = ContinuousClock(),
  fileID: StaticString = #fileID,
  line: UInt = #line,
  when classify: (any Error) -> RetryDecision = { _ in .retry },
  operation: nonisolated(nonsending) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  var machine = try RetryStateMachine(
    maximumAttempts: maximumAttempts, backoff: backoff, deadline: deadline)
  while true {
    try Task.checkCancellation()
    do {
      guard let deadline else { return try await operation() }
      return try await withDeadline(
        deadline, clock: clock, fileID: fileID, line: line, operation: operation)
    } catch let error as CancellationError {
      throw error
    } catch {
      try Task.checkCancellation()
      switch machine.failed(error, classify(error), now: clock.now) {
      case .giveUp(let error): throw error
      case .attempt(let next): try await clock.sleep(until: next, tolerance: nil)
      }
    }
  }
}
