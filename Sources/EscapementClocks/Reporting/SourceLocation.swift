import IssueReporting

/// Where something was written, so that a failure found later points there.
struct SourceLocation: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  /// Fails the test at this place.
  func reportIssue(_ message: String) {
    IssueReporting.reportIssue(
      message, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
