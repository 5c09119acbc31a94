import _EscapementCore

/// Performs an operation, and performs it once more in parallel if it takes long; the first result
/// counts.
///
/// It shortens the slowest calls at the price of a few more calls (Dean, Barroso: *The Tail at
/// Scale*, 2013). The operation must be safe to perform twice.
///
/// ```swift
/// let page = try await hedged(after: .milliseconds(50)) { _ in try await replica.read(key) }
/// ```
///
/// - When an attempt fails, the next one begins at once. When all have failed, the function throws
///   the error of the last one.
/// - When an attempt succeeds, the function cancels the others and **waits for their end**, so that
///   nothing still runs afterwards.
/// - When the caller is cancelled, all attempts are cancelled, and no further one begins.
///
/// - Parameters:
///   - delay: The time after which a further attempt begins; zero or positive.
///   - maximumAttempts: The largest number of attempts, including the first; 1 or more.
///   - clock: The clock that measures the delay.
///   - onEvent: Called with ``BlockEvent/hedged(attempt:)`` before each attempt but the first.
///   - operation: The operation, which gets the number of its attempt, from 1. The attempts are
///     child tasks. They inherit task-local values and deadlines, and do not run on the actor of
///     the caller.
/// - Returns: The result of the first attempt that succeeds.
/// - Throws: The error of the last attempt; `CancellationError`; or `InvalidArgumentError`.
nonisolated(nonsending) public func hedged<Return: Sendable, C: Clock>(
  after delay: Duration,
  maximumAttempts: Int = 2,
  clock: C = ContinuousClock(),
  onEvent: ((BlockEvent) -> Void)? = nil,
  operation: @escaping @Sendable @concurrent (_ attempt: Int) async throws -> Return
) async throws -> Return where C.Duration == Duration {
  guard delay >= .zero else {
    throw InvalidArgumentError("delay", delay, mustBe: "zero or positive")
  }
  guard maximumAttempts >= 1 else {
    throw InvalidArgumentError("maximumAttempts", maximumAttempts, mustBe: "1 or more")
  }
  try Task.checkCancellation()
  var machine = HedgingStateMachine(maximumAttempts: maximumAttempts)
  return try await withThrowingTaskGroup(of: HedgedEvent<Return>.self) { group in
    defer { group.cancelAll() }
    // The end of the delay after the newest attempt.
    var deadline = clock.instant(in: delay)
    func begin(_ attempt: Int) {
      deadline = clock.instant(in: delay)
      group.addTask {
        do {
          return .succeeded(try await operation(attempt))
        } catch {
          return .failed(error)
        }
      }
    }
    func sleep() {
      group.addTask { [deadline] in
        try? await clock.sleep(until: deadline, tolerance: nil)
        return .delayPassed
      }
    }
    begin(1)
    if machine.sleepsAfterFirst { sleep() }
    while true {
      // There is always an attempt that has not ended.
      let event = try await group.next()!
      let mayBegin = !Task.isCancelled
      let step: HedgingStateMachine.Step
      var failure: (any Error)?
      switch event {
      case .succeeded(let result):
        return result
      case .failed(let error):
        (step, failure) = (machine.attemptFailed(mayBegin: mayBegin), error)
      case .delayPassed:
        step = machine.delayPassed(mayBegin: mayBegin)
      }
      switch step {
      case .begin(let attempt, let thenSleep):
        onEvent?(.hedged(attempt: attempt))
        begin(attempt)
        if thenSleep { sleep() }
      case .sleep: sleep()
      case .wait: break
      case .giveUp: throw failure ?? CancellationError()
      }
    }
  }
}

private enum HedgedEvent<Return: Sendable>: Sendable {
  case succeeded(Return)
  case failed(any Error)
  case delayPassed
}
