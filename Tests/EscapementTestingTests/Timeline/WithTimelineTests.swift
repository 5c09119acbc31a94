import EscapementTesting
import TestSupport
import Testing

@Suite struct WithTimelineTests {
  private static let recording = VirtualTimeOptions(recordsTimeline: true)

  @Test(
    .plainOrder(because: "An exploration that fails reports more."),
    .expecting("The last steps in virtual time:\n+0.0 seconds  "), .virtualTime(recording))
  func `the first failure of a test that records has the last steps`() async throws {
    try await VirtualTime.current?.sleep(for: .seconds(1))
    Issue.record("a failure")
  }

  @Test(.expecting("first", "second"), .virtualTime(recording))
  func `other failures do not have them`() {
    Issue.record("first")
    Issue.record("second")
  }

  @Test(.virtualTime(recording)) func `a test that passes records as well`() async throws {
    try await VirtualTime.current?.sleep(for: .seconds(1))
    #expect(try #require(VirtualTime.current?.timeline).stepCount > 2)
  }
}
