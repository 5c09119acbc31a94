// Waiting for a sleep that must have begun, outside of virtual-time scopes.

import EscapementClocks
import Testing

@Test func `a second attempt comes after a minute`() async throws {
  let clock = TestClock()
  let attempt = Task(name: "retry") {
    try await clock.sleep(for: .seconds(60))
    return "second attempt"
  }

  // The sleep has begun.
  try await clock.waitForSleepers(count: 1)
  #expect(clock.nextDeadline == clock.now.advanced(by: .seconds(60)))

  // The sleep has ended. Wait for the end of the task, too.
  let moved = await clock.advanceToNextDeadline()
  let result = try await attempt.value
  #expect(moved == .seconds(60))
  #expect(result == "second attempt")
}
