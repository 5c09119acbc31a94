import CVirtualTime
import IssueReporting
import _EscapementCore

/// Learns of the failures of a run, and keeps them from the report or lets them pass.
///
/// A test framework has its own: `EscapementTesting` provides the one of Swift Testing.
package protocol FailureFilter: Sendable {
  /// Whether a comment becomes part of the first failure that passes.
  var addsComments: Bool { get }

  /// Runs a body; failures that it records go to `note`.
  ///
  /// - Parameters:
  ///   - comment: What is added to the first failure that passes; `nil` lets no failure pass, and an empty
  ///     comment all of them as they are.
  ///   - isInRun: Tells whether the code that calls it belongs to the run. It is for failures of which
  ///     the test framework does not know the test.
  func run(
    comment: String?, isInRun: @escaping @Sendable () -> Bool,
    note: @escaping @Sendable (RunFailure) -> Void,
    _ body: @Sendable @concurrent () async throws -> Void
  ) async throws
}

/// The filter of programs without a test framework, for issues of IssueReporting.
struct ReportedFailureFilter: FailureFilter {
  let addsComments = false

  private struct Collector: IssueReporter {
    let note: @Sendable (RunFailure) -> Void

    func reportIssue(
      _ message: @autoclosure () -> String?, severity: IssueSeverity,
      fileID: StaticString, filePath: StaticString, line: UInt, column: UInt
    ) {
      guard severity == .error else { return }
      let text = message() ?? ""
      note(
        RunFailure(
          identity: "\(fileID):\(line):\(column) \(RunFailure.kind(ofText: text))", message: text))
    }
  }

  func run(
    comment: String?, isInRun: @escaping @Sendable () -> Bool,
    note: @escaping @Sendable (RunFailure) -> Void,
    _ body: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let collector = Collector(note: note)
    let reporters: [any IssueReporter] =
      comment == nil ? [collector] : IssueReporters.current + [collector]
    try await withIssueReporters(reporters) { try await body() }
  }
}

/// What EscapementTesting has to offer, if the program contains it.
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
