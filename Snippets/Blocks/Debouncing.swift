// Saving when the user pauses, and testing that without waiting.

import Escapement
import EscapementClocks

// snippet.model
@MainActor final class Document {
  var text = "" {
    didSet { debouncer.execute { [weak self] in self?.save() } }
  }
  private(set) var saved: [String] = []
  private let debouncer: Debouncer

  init(clock: some Clock<Duration> = ContinuousClock()) {
    debouncer = Debouncer(delay: .seconds(2), maximumWait: .seconds(30), clock: clock)
  }

  func close() { debouncer.flush() }

  private func save() { saved.append(text) }
}
// snippet.end

// snippet.test
@MainActor func savesAfterTwoSeconds() async throws {
  let clock = TestClock()
  let document = Document(clock: clock)
  document.text = "D"
  document.text = "Dear"
  try await clock.waitForSleepers(count: 1)
  await clock.advance(by: .seconds(2) - .nanoseconds(1))
  precondition(document.saved == [])
  await clock.advance(by: .nanoseconds(1))
  precondition(document.saved == ["Dear"])
}
// snippet.end

try await savesAfterTwoSeconds()
