// Cancelling a request to a slow server, and testing that without waiting.

import Escapement
import EscapementClocks
import Testing

struct ForecastClient<C: Clock<Duration>>: Sendable {
  var fetch: @Sendable () async throws -> String
  var clock: C

  func forecast() async throws -> String {
    try await withDeadline(in: .seconds(5), clock: clock) { try await fetch() }
  }
}

@Test func `the client gives up after five seconds`() async throws {
  let clock = TestClock()
  let client = ForecastClient(
    fetch: {
      try await clock.sleep(for: .seconds(60))
      return "rain"
    }, clock: clock)

  let forecast = Task { try await client.forecast() }
  try await clock.waitForSleepers(count: 2)
  await clock.advance(by: .seconds(5))
  do {
    _ = try await forecast.value
    Issue.record("The deadline has not expired.")
  } catch let error as DeadlineExpiredError {
    #expect(error.allowance == .seconds(5))
  }
}
