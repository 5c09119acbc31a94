package import IssueReporting

/// A place in the source code, to which an issue that is found later is attributed.
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

  /// Reports an issue at this place: a failure, or with a lower severity a warning.
  package func reportIssue(_ message: String, severity: IssueSeverity = .error) {
    if severity == .error { LostIssues.failProcessIfLost }
    IssueReporting.reportIssue(
      message, severity: severity, fileID: fileID, filePath: filePath, line: line, column: column)
  }
}
