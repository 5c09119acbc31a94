// Code that sleeps for a day, and its test.

import EscapementTesting
import Testing

@MainActor
final class Reminder {  // app code: a bare Task.sleep, nothing injected
  private(set) var sent = 0

  func schedule() {
    Task {
      try await Task.sleep(for: .seconds(86_400))
      sent += 1
    }
  }
}

@Test(.virtualTime) @MainActor
func `a reminder is sent after a day`() async throws {
  let reminder = Reminder()
  reminder.schedule()
  try await Task.sleep(for: .seconds(86_399))
  #expect(reminder.sent == 0)
  try await Task.sleep(for: .seconds(1))
  #expect(reminder.sent == 1)
}
