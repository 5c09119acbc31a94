// Retrying a request to a busy server, and testing that without waiting.

import Escapement
import EscapementClocks
import Testing

enum ServerError: Error {
  case busy(retryAfter: Duration?)
  case notFound
}

nonisolated(nonsending) func fetchForecast(
  from fetch: () async throws -> String,
  clock: some Clock<Duration> = ContinuousClock()
) async throws -> String {
  try await retry(
    maximumAttempts: 4,
    backoff: .exponential(base: .seconds(1), cap: .seconds(30)),
    before: clock.now.advanced(by: .seconds(60)),
    clock: clock
  ) { error in
    switch error as? ServerError {
    case .busy(let time?): .retryAfter(time)
    case .busy(nil): .retry
    case .notFound, nil: .fail
    }
  } operation: {
    try await fetch()
  }
}

@concurrent func awaitReport(
  _ status: @Sendable () async throws -> String, budget: RetryBudget,
  clock: some Clock<Duration> = ContinuousClock(), log: @Sendable (String) -> Void
) async throws -> String {
  try await retry(
    maximumAttempts: 5, backoff: Backoff([.seconds(1), .seconds(2), .seconds(30)]), clock: clock,
    budget: budget, accepting: { $0 == "ready" },
    onAttempt: { log("attempt \($0.number) after \($0.elapsed): \($0.error, default: "ready")") },
    operation: { try await status() })
}

@Test @MainActor func `the client comes back when the server says so`() async throws {
  let clock = TestClock()
  var answers: [Result<String, ServerError>] = [
    .failure(.busy(retryAfter: .seconds(7))), .success("rain"),
  ]
  let forecast = Task {
    try await fetchForecast(from: { try answers.removeFirst().get() }, clock: clock)
  }
  try await clock.waitForSleepers(count: 1)
  await clock.advance(by: .seconds(7))
  let answer = try await forecast.value
  #expect(answer == "rain")
}

@Test func `a report that is ready costs nothing of the budget`() async throws {
  let budget = try RetryBudget(percent: 10, reserve: 20)
  let report = try await awaitReport({ "ready" }, budget: budget, log: { print($0) })
  #expect(report == "ready")
  #expect(budget.remaining == 20)
}
