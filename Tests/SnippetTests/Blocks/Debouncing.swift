// Saving when the user pauses, and testing that without waiting.

import Escapement
import EscapementClocks
import EscapementTesting
import Testing

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

@Test(.virtualTime) @MainActor
func `a document is saved after two seconds`() async throws {
  let clock = TestClock()
  let document = Document(clock: clock)
  document.text = "D"
  document.text = "Dear"
  try await clock.waitForSleepers(count: 1)
  await clock.advance(by: .seconds(2) - .nanoseconds(1))
  #expect(document.saved == [])
  await clock.advance(by: .nanoseconds(1))
  #expect(document.saved == ["Dear"])
}
