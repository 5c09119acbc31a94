import EscapementVirtualTime
import TestSupport
import Testing

private struct Failure: Error {}

/// The texts of reports.
@Suite(.virtualStandardClocks) struct ExplorationReportTests {
  @Test func `the report of the plain order has no schedule to replay`() async throws {
    let report = try await withExploration(10) { _ in throw Failure() }
    #expect(
      "\(report)"
        == "The plain order fails, first come, first served. No schedule is needed to see it again."
    )
  }
}
