import _EscapementCore

/// Performs an operation until an attempt succeeds, with a delay before each further attempt.
///
/// ```swift
/// let forecast = try await retry(maximumAttempts: 5) { try await client.forecast() }
/// ```
///
/// - Cancellation is never retried. The function throws a `CancellationError` of the operation. It
///   also throws one when an attempt fails with another error and the task has been cancelled.
/// - The operation and `classify` run on the actor of the caller.
/// - At the deadline the function cancels a running attempt and waits for its end, as
///   `withDeadline` does. If the next attempt could not begin
///   before the deadline, the function throws at once. The same holds for a deadline around the call
///   that was set with the same clock.
///
/// - `maximumAttempts`: The largest number of attempts, including the first; 1 or more.
/// - `backoff`: The delays between the end of an attempt and the beginning of the next one.
/// - `deadline`: The instant at which all attempts have to be over.
/// - `clock`: The clock that measures the delays and the deadline.
/// - `fileID`, `line`: The source location that the error of the deadline names; by default that of the
///   caller.
/// - `classify`: Decides what to do after an error. By default every error is retried.
/// - `operation`: The work to perform.
/// - Returns: The result of the first attempt that succeeds.
/// - Throws: ``RetryError`` with the errors of the attempts (of more than 10, the first one and the last
///   9); `CancellationError`; or
///   `InvalidArgumentError`, before the first attempt or for a negative
///   ``RetryDecision/retryAfter(_:)``.
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
    maximumAttempts: maximumAttempts, backoff: backoff,
    deadline: [deadline, Task.activeDeadline(for: clock)].compactMap(\.self).min())
  while true {
    try Task.checkCancellation()
    do {
      return try await withDeadline(
        deadline, clock: clock, fileID: fileID, line: line, body: operation)
    } catch let error as CancellationError {
      throw error
    } catch {
      try Task.checkCancellation()
      switch try machine.failed(error, now: clock.now, classify: classify) {
      case .giveUp(let error): throw error
      case .attempt(let next): try await clock.sleep(until: next, tolerance: nil)
      }
    }
  }
}
