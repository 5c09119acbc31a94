import Testing

@testable import EscapementTesting

@Suite struct MissingEventsErrorTests {
  @Test func `the message has the expected and the actual number, the place and the limit`() {
    let error = MissingEventsError(
      events: "calls of 'save(_:)'", expected: 3, actual: 1, limit: .seconds(60),
      place: "ModelTests/ModelTests.swift:7")
    #expect(
      error.description.hasPrefix(
        """
        A test has waited for 3 calls of 'save(_:)' (at ModelTests/ModelTests.swift:7), but there \
        were 1 after 60.0 seconds.
        """))
  }
}
