import _EscapementCore

/// Performs an operation until an attempt succeeds, with a delay before each further attempt.
///
/// ```swift
/// let forecast = try await retry(maximumAttempts: 5) { try await client.forecast() }
/// ```
///
/// - Cancellation is never retried. The function throws a `CancellationError` of the operation. It
///   also throws one when an attempt fails with another error and the task has been cancelled.
/// - The operation and the other closures run on the actor of the caller.
/// - At the deadline the function cancels a running attempt and waits for its end, as
///   `withDeadline` does. If the next attempt could not begin before the deadline, the function
///   throws at once. The same holds for a deadline around the call that was set with the same
///   clock.
///
/// - `maximumAttempts`: The largest number of attempts, including the first; 1 or more.
/// - `backoff`: The delays between the end of an attempt and the beginning of the next one.
/// - `deadline`: The instant at which all attempts have to be over.
/// - `clock`: The clock that measures the delays and the deadline.
/// - `budget`: A limit on further attempts that callers share.
/// - `fileID`, `line`: The source location that the error of the deadline names; by default that of
///   the caller.
/// - `classify`: Decides what to do after an error. By default every error is retried.
/// - `accepting`: Whether a result is accepted; by default each is. After one that is not, the
///   operation is performed again, and in the end the function throws a ``RetryError`` with a
///   ``ResultNotAcceptedError``.
/// - `onAttempt`: Called after each attempt, before the delay, for logs, metrics and traces. It is
///   not called for a cancelled attempt, nor when the delay after it is not valid.
/// - `operation`: The work to perform.
/// - Returns: The first result that is accepted.
/// - Throws: ``RetryError`` with the errors of the attempts (of more than 10, the first one and the
///   last 9); `CancellationError`; or `InvalidArgumentError`, before the first attempt or for a
///   negative ``RetryDecision/retryAfter(_:)``.
nonisolated(nonsending) public func retry<Return: ~Copyable, C: Clock>(
  maximumAttempts: Int = 3,
  backoff: Backoff = .fullJitter(base: .milliseconds(100), cap: .seconds(20)),
  before deadline: C.Instant? = nil,
  clock: C = ContinuousClock(),
  budget: RetryBudget? = nil,
  fileID: StaticString = #fileID,
  line: UInt = #line,
  when classify: (any Error) -> RetryDecision = { _ in .retry },
  accepting isAccepted: (borrowing Return) -> Bool = { _ in true },
  onAttempt: (RetryAttempt) -> Void = { _ in },
  operation: nonisolated(nonsending) () async throws -> Return
) async throws -> Return where C.Duration == Duration {
  var machine = try RetryStateMachine(
    maximumAttempts: maximumAttempts, backoff: backoff,
    // Not `\.self`: in a generic function, a key path is made anew in each call.
    deadline: [deadline, Task.activeDeadline(for: clock)].compactMap { $0 }.min())
  budget?.deposit()
  let start = clock.now
  func report(_ error: (any Error)?, _ delay: Duration?, at now: C.Instant) {
    onAttempt(
      RetryAttempt(
        number: machine.failedCount + (error == nil ? 1 : 0), error: error, delay: delay,
        elapsed: start.duration(to: now)))
  }
  try Task.checkCancellation()
  while true {
    let failure: any Error
    do {
      let result = try await withDeadline(
        deadline, clock: clock, fileID: fileID, line: line, body: operation)
      if isAccepted(result) {
        report(nil, nil, at: clock.now)
        return result
      }
      failure = ResultNotAcceptedError()
    } catch let error as CancellationError {
      throw error
    } catch {
      failure = error
    }
    try Task.checkCancellation()
    let now = clock.now
    let next = try machine.failed(
      failure, now: now, classify: { $0 is ResultNotAcceptedError ? .retry : classify($0) },
      isAffordable: { budget?.withdraw() ?? true })
    switch next {
    case .giveUp(let error):
      report(failure, nil, at: now)
      throw error
    case .attempt(let instant, let delay):
      report(failure, delay, at: now)
      do {
        try await clock.sleep(until: instant, tolerance: nil)
        try Task.checkCancellation()
      } catch {
        budget?.giveBack()
        throw error
      }
    }
  }
}
