import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing

@Suite(.virtualTime) struct WithUnstructuredDeadlineTests {
  let clock = TestClock()

  private struct Failure: Error {}

  @Test func `the result or the error of the operation is passed on`() async throws {
    #expect(try await withUnstructuredDeadline(in: .seconds(5), clock: clock) { 1 } == 1)
    await #expect(throws: Failure.self) {
      try await withUnstructuredDeadline(in: .seconds(5), clock: clock) { throw Failure() }
    }
    try await clock.checkSuspension()
  }

  @Test func `at the deadline the call cancels the operation and throws at once`() async throws {
    let gate = Log<Void>()
    let cancelled = Log<Bool>()
    let result = Task { [clock] in
      try await withUnstructuredDeadline(in: .seconds(5), clock: clock) {
        // The operation ignores its cancellation.
        await Task.detached { await gate.wait(for: 1) }.value
        cancelled.append(Task.isCancelled)
      }
    }
    try await clock.waitForSleepers(count: 1)
    await clock.advance(by: .seconds(5))
    let error = try await expired(result)
    #expect(error.allowance == .seconds(5))
    #expect(cancelled.count == 0)
    gate.append(())
    await cancelled.wait(for: 1)
    #expect(cancelled.entries == [true])
  }

  @Test func `the call throws at once when the caller is cancelled`() async throws {
    let gate = Log<Void>()
    let ended = Log<Bool>()
    let task = Task { [clock] in
      try await withUnstructuredDeadline(in: .seconds(5), clock: clock) {
        await Task.detached { await gate.wait(for: 1) }.value
        ended.append(Task.isCancelled)
      }
    }
    try await clock.waitForSleepers(count: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(ended.count == 0)
    gate.append(())
    await ended.wait(for: 1)
    #expect(ended.entries == [true])
    try await clock.checkSuspension()
  }

  @Test func `a cancelled caller does not begin the operation`() async throws {
    let task = Task { [clock] in
      withUnsafeCurrentTask { $0?.cancel() }
      try await withUnstructuredDeadline(in: .seconds(5), clock: clock) { () -> Void in
        Issue.record("The operation has begun.")
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test @MainActor func `the operation runs on the actor on which it was written`() async throws {
    var count = 0
    try await withUnstructuredDeadline(in: .seconds(5), clock: clock) {
      MainActor.assertIsolated()
      count += 1
    }
    #expect(count == 1)
  }

  @Test func `a deadline beyond the range never expires`() async throws {
    #expect(try await withUnstructuredDeadline(in: .seconds(Int64.max)) { 1 } == 1)
  }
}

/// In virtual time, without an injected clock.
@Suite(.virtualTime) struct WithUnstructuredDeadlineUninjectedTests {
  @Test(.virtualStandardClocks)
  func `an operation that ignores its cancellation ends after the call`() async throws {
    let start = ContinuousClock.now
    let ended = Log<Duration>()
    await #expect(throws: DeadlineExpiredError.self) {
      try await withUnstructuredDeadline(in: .seconds(5)) {
        await Task.detached { try? await Task.sleep(for: .seconds(60)) }.value
        ended.append(start.duration(to: .now))
      }
    }
    #expect(start.duration(to: .now) == .seconds(5))
    await ended.wait(for: 1)
    #expect(ended.entries == [.seconds(60)])
  }
}
