import EscapementDoubles
import EscapementTesting
import Testing
import _EscapementCore

@Suite struct EventCounterTests {
  private let counter = EventCounter()
  private let location = _EscapementCore.SourceLocation(
    fileID: "Tests/Here.swift", filePath: "", line: 7, column: 1)

  @Test func `outside scopes calls are not waited for without end`() async throws {
    counter.increment()
    let error = await #expect(throws: MissingEventsError.self) {
      try await counter.wait(for: 2, "calls of 'save(_:)'", limit: .milliseconds(20), at: location)
    }
    #expect(
      error?.description.hasPrefix(
        """
        A test has waited for 2 calls of 'save(_:)' (at Tests/Here.swift:7), but there were 1 after \
        0.02 seconds.
        """) == true)
  }

  @Test func `a call that comes just after the last step is not missing`() async throws {
    counter.increment()
    // Each step ends before it looks.
    try await counter.wait(for: 1, "calls of 'f'", limit: .zero, at: location)
  }

  @Test func `calls that come in time are`() async throws {
    async let waiting: Void = counter.wait(
      for: 1, "calls of 'f'", limit: .seconds(3600), at: location)
    try await Task.sleep(for: .milliseconds(5))
    counter.increment()
    try await waiting
  }
}
