import Escapement
import EscapementClocks
import EscapementTesting
import TestSupport
import Testing

@Suite(.virtualTime) struct RetryFeaturesTests {
  let clock = JumpingClock()

  private struct Failure: Error, Equatable {
    let number: Int
  }

  private func error(
    _ body: () async throws -> Void
  ) async throws -> RetryError {
    try #require(await #expect(throws: RetryError.self) { try await body() })
  }

  @Test(arguments: [3, 4])
  func `each attempt is told with its error, its delay and the time so far`(
    failures: Int
  ) async throws {
    var attempts: [RetryAttempt] = []
    var number = 0
    try? await retry(
      maximumAttempts: 4, backoff: .exponential(base: .seconds(1), cap: .seconds(9)),
      clock: clock, onAttempt: { attempts.append($0) }
    ) {
      number += 1
      if number <= failures { throw Failure(number: number) }
    }
    #expect(attempts.map(\.number) == [1, 2, 3, 4])
    #expect(
      attempts.map { $0.error as? Failure }
        == [1, 2, 3, 4].map { $0 <= failures ? Failure(number: $0) : nil })
    #expect(attempts.map(\.delay) == [.seconds(1), .seconds(2), .seconds(4), nil])
    #expect(attempts.map(\.elapsed) == [.zero, .seconds(1), .seconds(3), .seconds(7)])
  }

  @Test func `a cancelled attempt is not told`() async throws {
    let told = Log<Void>()
    let task = Task {
      try await retry(onAttempt: { _ in told.append(()) }) {
        withUnsafeCurrentTask { $0?.cancel() }
        throw Failure(number: 1)
      }
    }
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(told.count == 0)
  }

  @Test func `the operation is performed again until its result is accepted`() async throws {
    var count = 0
    let result = try await retry(maximumAttempts: 9, clock: clock, accepting: { $0 >= 3 }) {
      count += 1
      return count
    }
    #expect(result == 3)
  }

  @Test func `results that are not accepted end with an error, and are not classified`()
    async throws
  {
    let error = try await error {
      _ = try await retry(
        maximumAttempts: 2, clock: clock, when: { _ in .fail }, accepting: { (_: Int) in false }
      ) { 1 }
    }
    #expect(error.reason == .attemptsExhausted)
    #expect(error.errors.allSatisfy { $0 is ResultNotAcceptedError })
    #expect(error.attemptCount == 2)
  }

  @Test func `a result that cannot be copied is returned`() async throws {
    struct Ticket: ~Copyable {
      let number: Int
    }
    var count = 0
    let ticket = try await retry(clock: clock, accepting: { $0.number > 1 }) {
      count += 1
      return Ticket(number: count)
    }
    #expect(ticket.number == 2)
  }

  @Test func `there is no attempt after the last delay of a sequence`() async throws {
    for decision in [RetryDecision.retry, .retryAfter(.seconds(5))] {
      var count = 0
      let error = try await error {
        try await retry(
          maximumAttempts: 9, backoff: Backoff([.seconds(1), .zero]), clock: clock,
          when: { _ in decision }
        ) {
          count += 1
          throw Failure(number: count)
        }
      }
      #expect(error.reason == .attemptsExhausted)
      #expect(count == 3)
    }
  }

  @Test func `a negative delay of a sequence is refused`() async {
    let error = await #expect(throws: InvalidArgumentError.self) {
      try await retry(backoff: Backoff([.seconds(-1)]), clock: clock) { throw Failure(number: 1) }
    }
    #expect(error?.argument == "delay of the backoff")
  }

  @Test func `a shared budget ends further attempts, and calls fill it again`() async throws {
    let budget = try RetryBudget(percent: 50, reserve: 3)
    func attempts() async throws -> (Int, RetryError.Reason) {
      let error = try await error {
        try await retry(maximumAttempts: 3, clock: clock, budget: budget) {
          throw Failure(number: 1)
        }
      }
      return (error.attemptCount, error.reason)
    }
    #expect(try await attempts() == (3, .attemptsExhausted))
    #expect(budget.remaining == 1)
    #expect(try await attempts() == (2, .budgetExhausted))
    #expect(try await attempts() == (2, .budgetExhausted))
    #expect(try await attempts() == (1, .budgetExhausted))
    for _ in 0..<100 { try await retry(budget: budget) {} }
    #expect(budget.remaining == 3)
  }

  @Test(.plainOrder(because: "Each run takes a second."))
  func `of 10,000 calls that fail, further attempts are the reserve and a tenth`()
    async throws
  {
    let budget = try RetryBudget(percent: 10, reserve: 100)
    let attempts = Log<Void>()
    await withTaskGroup { group in
      for _ in 0..<10_000 {
        group.addTask { [clock] in
          _ = try? await retry(
            backoff: .constant(.zero), clock: clock, budget: budget,
            operation: {
              attempts.append(())
              throw Failure(number: 1)
            })
        }
      }
    }
    #expect(attempts.count <= 10_000 + 100 + 1_000)
    #expect(attempts.count >= 10_000 + 1_000)
  }

  @Test func `an attempt that is not allowed anyway takes nothing from the budget`() async throws {
    let budget = try RetryBudget(percent: 0, reserve: 5)
    _ = try? await retry(maximumAttempts: 1, budget: budget) { throw Failure(number: 1) }
    _ = try? await retry(budget: budget, when: { _ in .fail }) { throw Failure(number: 1) }
    #expect(budget.remaining == 5)
  }

  @Test func `an attempt that is cancelled before it begins is given back to the budget`()
    async throws
  {
    let clock = TestClock()
    let budget = try RetryBudget(percent: 0, reserve: 5)
    let call = Task {
      try await retry(clock: clock, budget: budget) { throw Failure(number: 1) }
    }
    try await clock.waitForSleepers(count: 1)
    #expect(budget.remaining == 4)
    call.cancel()
    await #expect(throws: CancellationError.self) { try await call.value }
    #expect(budget.remaining == 5)
  }

  @Test(arguments: [
    (-1, 1, "percent"), (1_001, 1, "percent"), (1, 0, "reserve"), (1, .max, "reserve"),
  ])
  func `a budget with an invalid argument is refused`(percent: Int, reserve: Int, name: String) {
    let error = #expect(throws: InvalidArgumentError.self) {
      try RetryBudget(percent: percent, reserve: reserve)
    }
    #expect(error?.argument == name)
  }
}
