import CVirtualTime
import IssueReporting
import _EscapementCore

/// Learns of the failures of a run, and decides what becomes of them.
///
/// A test framework has its own: `EscapementTesting` provides the one of Swift Testing.
package protocol FailureFilter: Sendable {
  /// Whether a comment can be added to a failure.
  var addsComments: Bool { get }

  /// Runs a body, and asks `decide` about each of its failures and warnings.
  ///
  /// - Parameter isInRun: Tells whether the code that calls it belongs to the run. It is for
  ///   failures of which the test framework does not know the test.
  func run(
    isInRun: @escaping @Sendable () -> Bool,
    decide: @escaping @Sendable (RunFailure) -> FailureVerdict,
    _ body: @Sendable @concurrent () async throws -> Void
  ) async throws
}

/// The fate of a failure.
package enum FailureVerdict: Equatable {
  /// It is kept from the report.
  case drop
  /// It is reported.
  case pass
  /// It is reported with a comment, where the filter adds comments.
  case comment(String)
}

/// The filter of programs without a test framework, for issues of IssueReporting.
struct ReportedFailureFilter: FailureFilter {
  let addsComments = false

  private struct Gate: IssueReporter {
    let decide: @Sendable (RunFailure) -> FailureVerdict
    let reporters: [any IssueReporter]

    func reportIssue(
      _ message: @autoclosure () -> String?, severity: IssueSeverity,
      fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) {
      let text = message()
      let failure = RunFailure(
        identity: "\(fileID):\(line):\(column) \(RunFailure.kind(ofText: text ?? ""))",
        message: text ?? "", isWarning: severity != .error)
      guard decide(failure) != .drop else { return }
      for reporter in reporters {
        reporter.reportIssue(
          text, severity: severity, fileID: fileID, filePath: filePath, line: line, column: column)
      }
    }
  }

  func run(
    isInRun: @escaping @Sendable () -> Bool,
    decide: @escaping @Sendable (RunFailure) -> FailureVerdict,
    _ body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let gate = Gate(decide: decide, reporters: IssueReporters.current)
    try await withIssueReporters([gate]) { try await body() }
  }
}

/// The filter of EscapementTesting, if the program contains it.
package final class FailureFilterProvider {
  /// The filter for the present test, given the one of programs without a test framework.
  fileprivate let filter: (any FailureFilter) -> any FailureFilter

  package init(_ filter: @escaping (any FailureFilter) -> any FailureFilter) {
    self.filter = filter
  }
}

extension FailureFilter where Self == ReportedFailureFilter {
  /// The filter of the test framework that runs the caller.
  static var current: any FailureFilter {
    guard let provider = cvt_failure_filter_provider() else { return ReportedFailureFilter() }
    return Unmanaged<FailureFilterProvider>.fromOpaque(provider).takeRetainedValue()
      .filter(ReportedFailureFilter())
  }
}
