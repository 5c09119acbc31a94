import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing

@Suite(.virtualTime) struct RetryTests {
  let clock = TestClock()
  let attempts = Log<Duration>()

  private struct Failure: Error, Equatable {
    let number: Int
  }

  /// Records the time of an attempt, which fails up to a number of failures.
  private func failing(_ failures: Int) throws -> String {
    attempts.append(clock.now.offset)
    if attempts.count <= failures { throw Failure(number: attempts.count) }
    return "success"
  }

  private func advance(through count: Int) async throws {
    for _ in 0..<count {
      try await clock.waitForSleepers(count: 1)
      await clock.advanceToNextDeadline()
    }
  }

  private func error<Value>(of task: Task<Value, any Error>) async throws -> RetryError {
    try #require(await #expect(throws: RetryError.self) { _ = try await task.value })
  }

  @Test func `no attempt follows a first one that succeeds`() async throws {
    #expect(try await retry(clock: clock) { try failing(0) } == "success")
    #expect(attempts.entries == [.zero])
  }

  @Test func `attempts follow with the delays of the backoff until one succeeds`() async throws {
    let backoff = Backoff.exponential(base: .seconds(1), cap: .seconds(3))
    let result = Task {
      try await retry(maximumAttempts: 10, backoff: backoff, clock: clock) { try failing(4) }
    }
    try await advance(through: 4)
    #expect(try await result.value == "success")
    #expect(attempts.entries == [0, 1, 3, 6, 9].map { .seconds($0) })
  }

  @Test func `the limit counts attempts and not retries, and the error lists their errors`()
    async throws
  {
    let result = Task {
      try await retry(maximumAttempts: 3, backoff: .constant(.seconds(1)), clock: clock) {
        try failing(.max)
      }
    }
    try await advance(through: 2)
    let error = try await error(of: result)
    #expect(error.reason == .attemptsExhausted)
    #expect(error.errors as? [Failure] == [1, 2, 3].map(Failure.init))
    #expect(error.lastError as? Failure == Failure(number: 3))
    #expect(
      error.description == """
        Gave up after 3 attempts, because no further attempt is allowed:
        1. Failure(number: 1)
        2. Failure(number: 2)
        3. Failure(number: 3)
        """)
    #expect(clock.sleepers.isEmpty)
  }

  @Test(arguments: [10, 11, 1_000])
  func `of more than ten errors, the first and the last nine are kept`(count: Int) async throws {
    let result = Task {
      try await retry(maximumAttempts: count, backoff: .constant(.zero), clock: clock) {
        try failing(.max)
      }
    }
    let error = try await error(of: result)
    let kept = [1] + (count - 8...count)
    #expect(error.errors as? [Failure] == kept.map(Failure.init))
    #expect(error.attemptCount == count)
    let lines = error.description.split(separator: "\n")
    #expect(lines[0].hasPrefix("Gave up after \(count) attempts,"))
    #expect(lines[1] == "1. Failure(number: 1)")
    #expect(lines.last! == "\(count). Failure(number: \(count))")
    let gap = count == 10 ? [] : ["(\(count - 10) errors are not kept)"]
    #expect(lines[2..<lines.count - 9].map(String.init) == gap)
  }

  @Test func `with a limit of one attempt there is no retry`() async throws {
    let result = Task {
      try await retry(maximumAttempts: 1, clock: clock) { try failing(.max) }
    }
    let error = try await error(of: result)
    #expect(error.errors.count == 1)
    #expect(error.reason == .attemptsExhausted)
  }

  @Test func `an error that is classified as fail ends the retries at once`() async throws {
    let result = Task {
      try await retry(clock: clock) {
        ($0 as? Failure)?.number == 2 ? .fail : .retryAfter(.zero)
      } operation: {
        try failing(.max)
      }
    }
    let error = try await error(of: result)
    #expect(error.reason == .notRetryable)
    #expect(error.errors.count == 2)
  }

  @Test func `the delay of retryAfter replaces the delay of the backoff`() async throws {
    let result = Task {
      try await retry(
        maximumAttempts: 4, backoff: .exponential(base: .seconds(1), cap: .seconds(60)),
        clock: clock
      ) {
        ($0 as? Failure)?.number == 2 ? .retryAfter(.seconds(10)) : .retry
      } operation: {
        try failing(3)
      }
    }
    try await advance(through: 3)
    #expect(try await result.value == "success")
    #expect(attempts.entries == [0, 1, 11, 15].map { .seconds($0) })
  }

  @Test func `a negative time of retryAfter is refused`() async throws {
    let error = await #expect(throws: InvalidArgumentError.self) {
      try await retry(clock: clock) {
        _ in
        .retryAfter(.nanoseconds(-1))
      } operation: {
        try failing(.max)
      }
    }
    #expect(error?.argument == "retryAfter")
    #expect(attempts.count == 1)
  }

  @Test func `cancellation is not retried`() async throws {
    await #expect(throws: CancellationError.self) {
      try await retry(backoff: .constant(.zero), clock: clock) {
        attempts.append(.zero)
        throw CancellationError()
      }
    }
    #expect(attempts.count == 1)
  }

  @Test func `cancelling the task during a delay ends the retries at once`() async throws {
    let result = Task { try await retry(clock: clock) { try failing(.max) } }
    try await clock.waitForSleepers(count: 1)
    result.cancel()
    await #expect(throws: CancellationError.self) { try await result.value }
    #expect(attempts.count == 1)
  }

  @Test func `an error of a cancelled task is not retried`() async throws {
    let result = Task {
      try await retry(backoff: .constant(.zero), clock: clock) {
        withUnsafeCurrentTask { $0?.cancel() }
        return try failing(.max)
      }
    }
    await #expect(throws: CancellationError.self) { try await result.value }
    #expect(attempts.count == 1)
  }

  @Test func `the call throws at once if the next attempt could not begin before the deadline`()
    async throws
  {
    let result = Task {
      try await retry(
        maximumAttempts: 9, backoff: .constant(.seconds(2)),
        before: TestClock<Duration>.Instant(offset: .seconds(4)), clock: clock
      ) {
        try failing(.max)
      }
    }
    try await advance(through: 1)
    let error = try await error(of: result)
    #expect(error.reason == .deadline)
    // The third attempt would begin at 4 seconds, which is the deadline.
    #expect(attempts.entries == [.zero, .seconds(2)])
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func `a running attempt is cancelled at the deadline`() async throws {
    let result = Task {
      try await retry(
        backoff: .constant(.seconds(2)),
        before: TestClock<Duration>.Instant(offset: .seconds(4)), clock: clock
      ) {
        attempts.append(clock.now.offset)
        try await clock.sleep(for: .seconds(100))
      }
    }
    try await clock.waitForSleepers(count: 2)
    await clock.advance(by: .seconds(4))
    let error = try await error(of: result)
    #expect(error.reason == .deadline)
    #expect(error.errors.count == 1)
    #expect(error.lastError is DeadlineExpiredError)
  }

  @Test func `an attempt that the deadline has cancelled is not classified`() async throws {
    let result = Task {
      try await retry(
        before: TestClock<Duration>.Instant(offset: .seconds(4)), clock: clock
      ) {
        Issue.record("classified: \($0)")
        return .fail
      } operation: {
        do {
          try await clock.sleep(for: .seconds(100))
        } catch {
          throw Failure(number: 1)
        }
      }
    }
    try await clock.waitForSleepers(count: 2)
    await clock.advance(by: .seconds(4))
    let error = try await error(of: result)
    #expect(error.reason == .deadline)
    let expired = error.lastError as? DeadlineExpiredError
    #expect(expired?.operationError as? Failure == Failure(number: 1))
  }

  @Test
  func `the call throws at once if the next attempt could not begin before an outer deadline`()
    async throws
  {
    let result = Task {
      try await withDeadline(in: .seconds(4), clock: clock) {
        try await retry(
          maximumAttempts: .max, backoff: .constant(.seconds(2)),
          before: TestClock<Duration>.Instant(offset: .seconds(100)), clock: clock
        ) {
          try failing(.max)
        }
      }
    }
    try await clock.waitForSleepers(count: 2)
    await clock.advance(by: .seconds(2))
    let error = try await error(of: result)
    #expect(error.reason == .deadline)
    #expect(attempts.entries == [.zero, .seconds(2)])
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func `an outer deadline cancels a running attempt`() async throws {
    let result = Task {
      try await withDeadline(in: .seconds(5), clock: clock) {
        try await retry(maximumAttempts: .max, clock: clock) {
          try await clock.sleep(for: .seconds(100))
        }
      }
    }
    try await clock.waitForSleepers(count: 2)
    await clock.advance(by: .seconds(5))
    await #expect(throws: DeadlineExpiredError.self) { try await result.value }
  }

  @Test(arguments: [0, -1])
  func `a limit of less than one attempt is refused`(count: Int) async throws {
    let error = await #expect(throws: InvalidArgumentError.self) {
      try await retry(maximumAttempts: count, clock: clock) { try failing(0) }
    }
    #expect(
      error?.description == "'maximumAttempts' is \(count), but must be 1 or more.")
    #expect(attempts.count == 0)
  }

  @Test func `a backoff with an invalid argument is refused`() async throws {
    let error = await #expect(throws: InvalidArgumentError.self) {
      try await retry(backoff: .constant(.seconds(-1)), clock: clock) { try failing(0) }
    }
    #expect(error?.argument == "delay")
    #expect(attempts.count == 0)
  }

  @Test func `a delay at the end of the range does not overflow`() async throws {
    let result = Task {
      try await retry(backoff: .constant(.seconds(Int64.max))) { try failing(.max) }
    }
    await attempts.wait(for: 1)
    result.cancel()
    await #expect(throws: CancellationError.self) { try await result.value }
  }

  @Test @MainActor
  func `an operation of an actor runs there and uses values that are not Sendable`()
    async throws
  {
    final class NotSendable { var count = 0 }
    let counter = NotSendable()
    try await retry(maximumAttempts: 2, backoff: .constant(.zero), clock: clock) { _ in
      MainActor.assertIsolated()
      return .retry
    } operation: {
      MainActor.assertIsolated()
      counter.count += 1
      if counter.count == 1 { throw Failure(number: 1) }
    }
    #expect(counter.count == 2)
  }
}

/// In virtual time, without an injected clock.
@Suite(.virtualTime) struct RetryUninjectedTests {
  private struct Failure: Error {}

  @Test(.virtualStandardClocks)
  func `a server that is down for an hour is retried until it is up again`() async throws {
    let start = ContinuousClock.now
    let attempts = Log<Duration>()
    try await retry(
      maximumAttempts: 100, backoff: .exponential(base: .seconds(1), cap: .seconds(600))
    ) {
      attempts.append(start.duration(to: .now))
      if start.duration(to: .now) < .seconds(3600) { throw Failure() }
    }
    // After 1 + 2 + … + 512 seconds, an attempt follows every ten minutes.
    #expect(attempts.count == 11 + 5)
    #expect(start.duration(to: .now) == .seconds(1023 + 5 * 600))
  }
}
