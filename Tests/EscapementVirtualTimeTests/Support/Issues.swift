import Testing
import _EscapementCore

/// An issue that a test has caught, with what matters of it.
struct ReportedIssue: Sendable {
  let message: String
  let line: Int?
  let isWarning: Bool
}

/// Runs `body`, and returns what it reported through IssueReporting.
///
/// Failed expectations and errors are not caught: they fail the test as always. Issues may come from
/// several threads, where scopes run side by side.
func issues(in body: () async throws -> Void) async rethrows -> [ReportedIssue] {
  let reported = Lock<[ReportedIssue]>([])
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    guard case .unconditional = issue.kind else { return false }
    let issue = ReportedIssue(
      message: issue.comments.map(\.rawValue).joined(separator: "\n"),
      line: issue.sourceLocation?.line,
      isWarning: issue.severity == .warning)
    reported.withLock { $0.append(issue) }
    return true
  }
  return reported.withLock { $0 }
}
