package import IssueReporting

/// Where something was written, so that a failure found later points there.
package struct SourceLocation: Sendable {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

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
