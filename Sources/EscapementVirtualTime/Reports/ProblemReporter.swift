package import IssueReporting
package import _EscapementCore

/// Shows the failures and warnings of a scope at one place.
package struct ProblemReporter: Sendable {
  /// The name of the scope in the names of files.
  let name: String
  private let show: @Sendable (String, IssueSeverity) -> Void

  package init(name: String, _ show: @escaping @Sendable (String, IssueSeverity) -> Void) {
    self.name = name
    self.show = show
  }

  /// Shows them at a place in the source code.
  package init(at location: SourceLocation) {
    self.init(name: "\(location.fileID):\(location.line)") {
      location.reportIssue($0, severity: $1)
    }
  }

  package func report(_ message: String, severity: IssueSeverity = .error) {
    show(message, severity)
  }
}
