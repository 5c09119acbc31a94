package import IssueReporting
import _EscapementCore

/// A failure or a warning that the code under test has reported.
package struct ReportedIssue: Sendable {
  package let message: String
  package let line: Int
  package let isWarning: Bool
}

/// Collects what the code under test reports, instead of failing the test with it.
package final class IssueRecorder: IssueReporter {
  private let recorded = Lock<[ReportedIssue]>([])

  package init() {}

  package var issues: [ReportedIssue] { recorded.withLock { $0 } }

  package func reportIssue(
    _ message: @autoclosure () -> String?, severity: IssueSeverity,
    fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
  ) {
    let issue = ReportedIssue(
      message: message() ?? "", line: Int(line), isWarning: severity == .warning)
    recorded.withLock { $0.append(issue) }
  }
}

/// Runs `body`, and returns what the code under test has reported meanwhile.
///
/// Only that is caught. Failed expectations fail the test as always, and errors pass through. The test
/// says which issues it expects, and thereby fails when one does not come or another does.
package func issues(in body: () throws -> Void) rethrows -> [ReportedIssue] {
  let recorder = IssueRecorder()
  try withIssueReporters([recorder]) { try body() }
  return recorder.issues
}

/// The same for a body that suspends.
package func issues(
  isolation: isolated (any Actor)? = #isolation, in body: () async throws -> Void
) async rethrows -> [ReportedIssue] {
  let recorder = IssueRecorder()
  try await withIssueReporters([recorder]) { try await body() }
  return recorder.issues
}
