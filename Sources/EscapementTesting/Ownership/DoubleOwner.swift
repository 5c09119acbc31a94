package import _EscapementCore

#if canImport(Testing)
  import Testing
#endif

/// A failure of a double, and the line that it is reported at.
package struct DoubleFailure: Sendable {
  let message: String
  let location: _EscapementCore.SourceLocation

  package init(_ message: String, at location: _EscapementCore.SourceLocation) {
    self.message = message
    self.location = location
  }

  package func report() { location.reportIssue(message) }
}

/// The test that a double belongs to, taken when the double is made.
///
/// A failure must reach its test from wherever it comes up: a delegate's queue, a thread of
/// Foundation, a detached task. There neither framework knows the test. Swift Testing books the
/// failure on no test at all, and XCTest on the one that happens to run.
package struct DoubleOwner: Sendable {
  /// Looks for promises that were not kept.
  package typealias Check = @Sendable () -> [DoubleFailure]

  private let scope: DoublesScope?
  private let isInSwiftTesting: Bool

  /// The innermost scope of the caller, if there is one, and the framework that runs the caller.
  package static var current: DoubleOwner {
    DoubleOwner(scope: .current, isInSwiftTesting: Framework.isSwiftTesting)
  }

  /// Fails the test that owns the double.
  ///
  /// May be called on any thread, but under no lock. Where the test is known this is done at once,
  /// elsewhere at the end of the scope. Without a scope it is always done at once.
  package func report(_ message: String, at location: _EscapementCore.SourceLocation) {
    let failure = DoubleFailure(message, at: location)
    if let scope, !scope.isCallers, scope.keep(failure) { return }
    if isInSwiftTesting {
      Framework.reportInSwiftTesting(failure)
    } else {
      failure.report()
    }
  }

  /// Has a check run at the end of the scope, unless its body has thrown an error.
  ///
  /// Without a scope it is not run: the double has a method of its own to verify what was promised.
  package func atEnd(_ check: @escaping Check) { scope?.add(check) }
}

private enum Framework {
  /// Whether the caller is run by Swift Testing, as far as can be known.
  static var isSwiftTesting: Bool {
    #if canImport(Testing)
      // Where XCTest has a process of its own, the other one is told which library it is for.
      Test.current != nil || CommandLine.arguments.contains("--testing-library")
    #else
      false
    #endif
  }

  /// Reports to Swift Testing, whoever calls.
  ///
  /// IssueReporting takes a thread that knows no test for one of XCTest, which ignores what is
  /// reported to it while Swift Testing runs.
  static func reportInSwiftTesting(_ failure: DoubleFailure) {
    #if canImport(Testing)
      guard Test.current == nil else { return failure.report() }
      Issue.record(
        """
        \(failure.message)

        This came up on a thread that belongs to no test. To have it reported by the test that \
        made the double, give the test the trait '.doubles', or put its body into 'withDoubles'.
        """,
        sourceLocation: failure.location.forSwiftTesting)
    #else
      failure.report()
    #endif
  }
}

#if canImport(Testing)
  extension _EscapementCore.SourceLocation {
    fileprivate var forSwiftTesting: Testing.SourceLocation {
      Testing.SourceLocation(
        fileID: "\(fileID)", filePath: "\(filePath)", line: Int(line), column: Int(column))
    }
  }
#endif
