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
        == """
        The plain order fails already, so this failure is not about schedules. To see it again, run the \
        test with '.virtualTime', without an order and without 'ESCAPEMENT_SEEDS'.
        """)
  }
}
