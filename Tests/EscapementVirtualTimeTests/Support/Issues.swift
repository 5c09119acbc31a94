import Testing

/// An issue that a test has caught, with what matters of it.
struct ReportedIssue {
  let message: String
  let line: Int?
  let isWarning: Bool
}

/// Runs `body`, and returns what it reported through IssueReporting.
///
/// Failed expectations and errors are not caught: they fail the test as always.
func issues(in body: () async throws -> Void) async rethrows -> [ReportedIssue] {
  nonisolated(unsafe) var reported: [ReportedIssue] = []
  try await withKnownIssue(isIntermittent: true) {
    try await body()
  } matching: { issue in
    guard case .unconditional = issue.kind else { return false }
    reported.append(
      ReportedIssue(
        message: issue.comments.map(\.rawValue).joined(separator: "\n"),
        line: issue.sourceLocation?.line,
        isWarning: issue.severity == .warning))
    return true
  }
  return reported
}
