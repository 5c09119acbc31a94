import EscapementClocks
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@testable import Escapement

@Suite(.virtualTime) struct WithDeadlineTests {
  let clock = TestClock()

  private struct Failure: Error {}

  /// Sleeps for a duration, and throws `CancellationError` when it is cancelled.
  private func work(_ seconds: Int) async throws -> String {
    try await clock.sleep(for: .seconds(seconds))
    return "done at \(clock.now)"
  }

  private func advance(_ seconds: Int, sleepers: Int) async throws {
    try await clock.waitForSleepers(count: sleepers)
    await clock.advance(by: .seconds(seconds))
  }

  @Test func `the result of the operation is returned`() async throws {
    #expect(try await withDeadline(in: .seconds(5), clock: clock) { "value" } == "value")
    try await clock.checkSuspension()
  }

  @Test func `the error of the operation is thrown`() async throws {
    await #expect(throws: Failure.self) {
      try await withDeadline(in: .seconds(5), clock: clock) { throw Failure() }
    }
    try await clock.checkSuspension()
  }

  @Test func `an operation that ends before the deadline is not cancelled`() async throws {
    let result = Task { [clock] in
      try await withDeadline(in: .seconds(5), clock: clock) { try await work(4) }
    }
    try await advance(4, sleepers: 2)
    #expect(try await result.value == "done at 4.0 seconds")
  }

  @Test func `the error identifies the deadline that has expired`() async throws {
    let line = #line + 2
    let result = Task { [clock] in
      try await withDeadline(in: .seconds(5), clock: clock) { try await work(10) }
    }
    try await advance(5, sleepers: 2)
    let error = try await expired(result)
    #expect(error.callSite == "EscapementTests/WithDeadlineTests.swift:\(line)")
    #expect(error.allowance == .seconds(5))
    #expect(error.deadline as? TestClock<Duration>.Instant == .init(offset: .seconds(5)))
    #expect(
      error.description
        == "The deadline of 5.0 seconds, set at \(error.callSite), has expired.")
  }

  @Test func `the deadline does not expire a nanosecond early`() async throws {
    let ended = Log<Void>()
    let result = Task { [clock] in
      try await withDeadline(in: .seconds(5), clock: clock) {
        defer { ended.append(()) }
        return try await work(10)
      }
    }
    try await clock.waitForSleepers(count: 2)
    await clock.advance(by: .seconds(5) - .nanoseconds(1))
    #expect(ended.count == 0)
    await clock.advance(by: .nanoseconds(1))
    await #expect(throws: DeadlineExpiredError.self) { try await result.value }
  }

  @Test func `the call waits for the end of the cancelled operation`() async throws {
    let gate = Log<Void>()
    let cancelled = Log<Bool>()
    let returned = Log<Void>()
    let result = Task { [clock] in
      let value = try await withDeadline(in: .seconds(5), clock: clock) {
        _ = try? await work(10)
        cancelled.append(Task.isCancelled)
        // From here on the operation ignores its cancellation.
        await Task.detached { await gate.wait(for: 1) }.value
        return "late"
      }
      returned.append(())
      return value
    }
    try await advance(5, sleepers: 2)
    await cancelled.wait(for: 1)
    #expect(cancelled.entries == [true])
    #expect(returned.count == 0)
    gate.append(())
    #expect(try await result.value == "late")
  }

  @Test func `after the deadline the error contains that of the operation`() async throws {
    let result = Task { [clock] in
      try await withDeadline(in: .seconds(5), clock: clock) {
        do { return try await work(10) } catch { throw Failure() }
      }
    }
    try await advance(5, sleepers: 2)
    let error = try await expired(result)
    #expect(error.operationError is Failure)
    #expect(error.description.hasSuffix("The operation, which was cancelled, threw: Failure()"))
  }

  @Test func `after a cancellation of the caller the error of the operation is thrown`()
    async throws
  {
    let task = Task { [clock] in
      try await withDeadline(in: .seconds(5), clock: clock) {
        do { return try await work(10) } catch { throw Failure() }
      }
    }
    try await clock.waitForSleepers(count: 2)
    task.cancel()
    await #expect(throws: Failure.self) { try await task.value }
  }

  @Test func `a caller that is cancelled has no expired deadline, even if that has passed`()
    async throws
  {
    let task = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await withDeadline(in: .zero, clock: clock) {
        #expect(Task.cancellationReason == .userRequested)
        try Task.checkCancellation()
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `without a deadline the operation runs in the task of the caller`() async throws {
    let none: TestClock<Duration>.Instant? = nil
    let value = try await withDeadline(none, clock: clock) {
      #expect(!Task.hasActiveDeadline)
      return "value"
    }
    #expect(value == "value")
    await #expect(throws: Failure.self) {
      try await withDeadline(none, clock: clock) { throw Failure() }
    }
    let some: TestClock<Duration>.Instant? = clock.now
    await #expect(throws: DeadlineExpiredError.self) {
      try await withDeadline(some, clock: clock) { try Task.checkCancellation() }
    }
  }

  @Test func `the earliest deadline of each clock can be read`() async throws {
    #expect(!Task.hasActiveDeadline)
    #expect(Task.activeDeadline(for: clock) == nil)
    let other = TestClock()
    try await withDeadline(in: .seconds(5), clock: clock) {
      try await withDeadline(in: .seconds(9), clock: clock) {
        #expect(Task.hasActiveDeadline)
        #expect(Task.activeDeadline(for: clock)?.offset == .seconds(5))
        #expect(Task.activeDeadline(for: other) == nil)
        #expect(Task.activeDeadline() == nil)
      }
      let deadline = ContinuousClock.now + .seconds(7)
      try await withDeadline(deadline) {
        #expect(Task.activeDeadline() == deadline)
        #expect(Task.activeDeadline(for: clock)?.offset == .seconds(5))
        #expect(await Task { Task.activeDeadline() }.value == deadline)
      }
      _ = try await withUnstructuredDeadline(in: .seconds(3), clock: clock) { [clock] in
        #expect(Task.activeDeadline(for: clock)?.offset == .seconds(3))
      }
    }
    #expect(!Task.hasActiveDeadline)
  }

  @Test func `a deadline is over for a task that outlives the operation`() async throws {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let task = try await withDeadline(in: .seconds(5), clock: clock) { [clock] in
      Task {
        for await _ in gate {}
        return (Task.hasActiveDeadline, Task.activeDeadline(for: clock)?.offset)
      }
    }
    opening.finish()
    let (isActive, deadline) = await task.value
    #expect(!isActive)
    #expect(deadline == nil)
  }

  @Test func `a retry that outlives the operation does not give up because of its deadline`()
    async throws
  {
    let (gate, opening) = AsyncStream.makeStream(of: Void.self)
    let task = try await withDeadline(in: .seconds(5), clock: clock) { [clock] in
      Task {
        for await _ in gate {}
        try await retry(maximumAttempts: 2, backoff: .constant(.zero), clock: clock) {
          throw Failure()
        }
      }
    }
    await clock.advance(by: .seconds(6))
    opening.finish()
    let error = await #expect(throws: RetryError.self) { try await task.value }
    #expect(error?.reason == .attemptsExhausted)
  }

  @Test(.plainOrder(because: "Other schedules make the tasks before their deadlines end."))
  func `tasks that make each other do not collect their deadlines`() async throws {
    let clock = clock
    @Sendable func count(after generations: Int) async throws -> Int {
      if generations == 0 { return ActiveDeadlines.current.count }
      let next = try await withDeadline(in: .seconds(5), clock: clock) {
        Task { try await count(after: generations - 1) }
      }
      return try await next.value
    }
    #expect(try await count(after: 100) < 10)
  }

  @Test func `an operation learns that a deadline has cancelled it`() async throws {
    let reasons = Log<CancellationError.Reason?>()
    let result = Task { [clock] in
      try await withDeadline(in: .seconds(5), clock: clock) {
        reasons.append(Task.cancellationReason)
        defer { reasons.append(Task.cancellationReason) }
        return try await work(10)
      }
    }
    try await advance(5, sleepers: 2)
    _ = try await expired(result)
    #expect(reasons.entries == [nil, .deadlineExpired])
  }

  @Test func `the inner of two deadlines expires first`() async throws {
    let result = Task { [clock] in
      try await withDeadline(in: .seconds(9), clock: clock) {
        try await withDeadline(in: .seconds(5), clock: clock) { try await work(20) }
      }
    }
    try await advance(5, sleepers: 3)
    let error = try await expired(result)
    #expect(error.allowance == .seconds(5))
    try await clock.checkSuspension()
  }

  @Test func `the outer of two deadlines expires first`() async throws {
    let result = Task { [clock] in
      try await withDeadline(in: .seconds(5), clock: clock) {
        try await withDeadline(in: .seconds(9), clock: clock) { try await work(20) }
      }
    }
    try await advance(5, sleepers: 3)
    let error = try await expired(result)
    #expect(error.allowance == .seconds(5))
    try await clock.checkSuspension()
  }

  @Test func `a cancellation of the caller before the deadline is not an expiry`() async throws {
    let task = Task { [clock] in
      try await withDeadline(in: .seconds(5), clock: clock) { try await work(10) }
    }
    try await clock.waitForSleepers(count: 2)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await clock.checkSuspension()
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .seconds(Int64.min)])
  func `an operation whose deadline has passed begins as a cancelled task`(duration: Duration)
    async throws
  {
    await #expect(throws: DeadlineExpiredError.self) {
      try await withDeadline(in: duration, clock: clock) {
        #expect(Task.isCancelled)
        try Task.checkCancellation()
      }
    }
    #expect(try await withDeadline(in: duration, clock: clock) { "anyway" } == "anyway")
  }

  @Test(arguments: [Duration.seconds(Int64.max), .seconds(Int64.max) * 10])
  func `a deadline beyond the range never expires`(duration: Duration) async throws {
    #expect(try await withDeadline(in: duration) { "value" } == "value")
    #expect(try await withDeadline(.now + duration) { "value" } == "value")
  }

  @TaskLocal static var local = "default"

  @Test func `the operation inherits task-local values`() async throws {
    try await Self.$local.withValue("set") {
      let value = try await withDeadline(in: .seconds(5), clock: clock) { Self.local }
      #expect(value == "set")
    }
  }

  private struct Resource: ~Copyable {
    let name: String
  }

  @Test func `the result may be a noncopyable value`() async throws {
    let resource = try await withDeadline(in: .seconds(5), clock: clock) { Resource(name: "file") }
    #expect(resource.name == "file")
  }

  private final class NotSendable {
    var count = 0
  }

  @Test @MainActor
  func `an operation of the main actor runs there and uses values that are not Sendable`()
    async throws
  {
    let counter = NotSendable()
    let result = try await withDeadline(in: .seconds(5), clock: clock) {
      MainActor.assertIsolated()
      counter.count += 1
      await Task { @concurrent in }.value
      MainActor.assertIsolated()
      return counter
    }
    #expect(result.count == 1)
  }

  private actor Owner {
    var count = 0

    func work(_ clock: TestClock<Duration>) async throws -> Int {
      try await withDeadline(in: .seconds(5), clock: clock) {
        self.assertIsolated()
        count += 1
        return count
      }
    }
  }

  @Test func `an operation of an actor runs there`() async throws {
    #expect(try await Owner().work(clock) == 1)
  }

  @Test @concurrent func `an operation of a concurrent function runs outside of all actors`()
    async throws
  {
    let counter = NotSendable()
    try await withDeadline(in: .seconds(5), clock: clock) { counter.count += 1 }
    #expect(counter.count == 1)
  }
}

/// Returns the error of a task that has to throw one.
func expired<Value>(_ task: Task<Value, any Error>) async throws -> DeadlineExpiredError {
  try #require(await #expect(throws: DeadlineExpiredError.self) { _ = try await task.value })
}

/// In virtual time, without an injected clock.
@Suite(.virtualTime) struct WithDeadlineUninjectedTests {
  @Test(.virtualStandardClocks) func `a day of work is cancelled after an hour`() async throws {
    let start = ContinuousClock.now
    await #expect(throws: DeadlineExpiredError.self) {
      try await withDeadline(in: .seconds(3600)) { try await Task.sleep(for: .seconds(86_400)) }
    }
    #expect(start.duration(to: .now) == .seconds(3600))
  }

  @Test(.virtualStandardClocks) func `a deadline works with the suspending clock`() async throws {
    let clock = SuspendingClock()
    let start = clock.now
    await #expect(throws: DeadlineExpiredError.self) {
      try await withDeadline(start.advanced(by: .seconds(60)), clock: clock) {
        try await Task.sleep(for: .seconds(61), clock: clock)
      }
    }
    #expect(start.duration(to: clock.now) == .seconds(60))
  }
}
