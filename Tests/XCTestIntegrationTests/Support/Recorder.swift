import IssueReporting

/// Notes what is reported, since XCTest on Linux cannot expect failures.
final class Recorder: IssueReporter, @unchecked Sendable {
  // Sendable because a test looks at it only when the scope has ended.
  private(set) var issues: [(message: String, severity: IssueSeverity, line: UInt)] = []

  func reportIssue(
    _ message: @autoclosure () -> String?, severity: IssueSeverity,
    fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
  ) {
    issues.append((message() ?? "", severity, line))
  }

  func reportIssue(
    _ message: @autoclosure () -> String?,
    fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
  ) {
    issues.append((message() ?? "", .error, line))
  }
}
