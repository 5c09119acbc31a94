// Not testable, because users have only what is public.
import Escapement
import Testing

@Suite struct PublicErrorTests {
  private struct Down: Error {}

  @Test func `a fake can throw the errors of the blocks`() {
    let deadline = DeadlineExpiredError(
      deadline: ContinuousClock.now, allowance: .seconds(1), operationError: Down())
    let retry = RetryError(reason: .attemptsExhausted, earlierErrors: [Down()], lastError: deadline)
    let attempt = RetryAttempt(
      number: 2, error: ResultNotAcceptedError(), delay: nil, elapsed: .seconds(3))
    let lease = LeaseLostError(name: "report", token: FencingToken(number: 7))

    #expect(deadline.callSite.hasPrefix("EscapementTests/PublicErrorTests.swift:"))
    #expect(retry.attemptCount == 2)
    #expect(retry.lastError is DeadlineExpiredError)
    #expect(attempt.error is ResultNotAcceptedError)
    #expect(lease.bodyError == nil)
    #expect(CircuitOpenError(retryAfter: .seconds(1)) != CircuitOpenError())
    #expect(ConcurrencyLimitError() == ConcurrencyLimitError())
  }

  @Test func `a user's own code can throw and expect the errors of arguments`() {
    #expect(throws: InvalidArgumentError("reserve", 0, mustBe: "between 1 and 10^9")) {
      try RetryBudget(reserve: 0)
    }
    let syntax = CronSyntaxError(line: "0 25 * * *", column: 3, reason: "There is no hour 25.")
    #expect("\(syntax)".hasSuffix("\n    ^ There is no hour 25."))
  }

  @Test func `an error of a cron line without a column is described at its beginning`() {
    let syntax = CronSyntaxError(line: "", column: 0, reason: "The line is empty.")
    #expect("\(syntax)".hasSuffix("\n  ^ The line is empty."))
  }
}
