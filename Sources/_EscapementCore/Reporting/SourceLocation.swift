package import IssueReporting

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

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
  ///
  /// XCTest has no warnings: to report one would fail the test. There it is printed.
  package func reportIssue(_ message: String, severity: IssueSeverity = .error) {
    if severity == .error { LostIssues.failProcessIfLost }
    if severity == .warning, TestContext.current == .xcTest, hasDefaultReporter {
      return Self.printToStandardError("\(filePath):\(line): warning: \(message)\n")
    }
    IssueReporting.reportIssue(
      message, severity: severity, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Whether no code has replaced the reporter of issues.
  private var hasDefaultReporter: Bool {
    IssueReporters.current.count == 1 && IssueReporters.current[0] is _DefaultReporter
  }

  package static func printToStandardError(_ text: String) {
    var text = text
    text.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
  }
}
