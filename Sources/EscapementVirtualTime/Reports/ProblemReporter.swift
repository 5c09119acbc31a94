package import IssueReporting
package import _EscapementCore

/// Shows the failures and warnings of a scope at one place.
package struct ProblemReporter: Sendable {
  private let show: @Sendable (String, IssueSeverity) -> Void

  package init(_ show: @escaping @Sendable (String, IssueSeverity) -> Void) {
    self.show = show
  }

  /// Shows them at a place in the source code.
  package init(at location: SourceLocation) {
    self.init { location.reportIssue($0, severity: $1) }
  }

  package func report(_ message: String, severity: IssueSeverity = .error) {
    show(message, severity)
  }
}
