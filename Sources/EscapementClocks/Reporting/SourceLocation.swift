package import IssueReporting

/// Where something was written, so that a failure found later points there.
package struct SourceLocation: Sendable {
  let fileID: StaticString
  let filePath: StaticString
  let line: UInt
  let column: UInt

  package init(fileID: StaticString, filePath: StaticString, line: UInt, column: UInt) {
    self.fileID = fileID
    self.filePath = filePath
    self.line = line
    self.column = column
  }

  /// Fails the test at this place, or with less severity warns there.
  package func reportIssue(_ message: String, severity: IssueSeverity = .error) {
    IssueReporting.reportIssue(
      message, severity: severity, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
