package import _EscapementCore

#if canImport(Testing)
  import Testing
#endif

/// A failure of a double, and the source location to which it is attributed.
package struct DoubleFailure: Sendable {
  let message: String
  let location: _EscapementCore.SourceLocation

  package init(_ message: String, at location: _EscapementCore.SourceLocation) {
    self.message = message
    self.location = location
  }

  package func report() { location.reportIssue(message) }
}

/// The test that owns a double, as it was known when the double was created.
///
/// A failure must reach its test even if it occurs on a delegate's queue, on a thread of Foundation
/// or in a detached task. In these places the test frameworks do not know the test: Swift Testing
/// attributes the failure to no test, and XCTest to the test that is running.
package struct DoubleOwner: Sendable {
  /// Returns a failure for each expectation that was not met.
  package typealias Check = @Sendable () -> [DoubleFailure]

  private let scope: DoublesScope?
  private let isInSwiftTesting: Bool

  /// The owner for a double that the caller creates: its innermost scope, if any, and its
  /// framework.
  package static var current: DoubleOwner {
    DoubleOwner(scope: .current, isInSwiftTesting: Framework.isSwiftTesting)
  }

  /// Fails the test that owns the double.
  ///
  /// May be called on any thread, but not under a lock. In a task of the test the failure is
  /// reported at once, elsewhere at the end of the scope. Without a scope it is always reported at
  /// once.
  package func report(_ message: String, at location: _EscapementCore.SourceLocation) {
    let failure = DoubleFailure(message, at: location)
    if let scope, !scope.isCallers, scope.keep(failure) { return }
    if isInSwiftTesting {
      Framework.reportInSwiftTesting(failure)
    } else {
      failure.report()
    }
  }

  /// Runs a check at the end of the scope, unless its body throws an error.
  ///
  /// Without a scope the check does not run: the double has its own method to verify its
  /// expectations.
  package func atEnd(_ check: @escaping Check) { scope?.add(check) }
}

private enum Framework {
  /// Whether the caller probably runs in a test of Swift Testing.
  static var isSwiftTesting: Bool {
    #if canImport(Testing)
      // On some platforms each framework has its own process. Only that of Swift Testing gets the
      // option.
      Test.current != nil || CommandLine.arguments.contains("--testing-library")
    #else
      false
    #endif
  }

  /// Reports a failure to Swift Testing from any thread.
  ///
  /// On a thread that belongs to no test, IssueReporting would report to XCTest, which ignores the
  /// failure while Swift Testing runs.
  static func reportInSwiftTesting(_ failure: DoubleFailure) {
    #if canImport(Testing)
      guard Test.current == nil else { return failure.report() }
      Issue.record(
        """
        \(failure.message)

        The failure occurred on a thread that belongs to no test. To attribute it to the test that \
        created the double, give that test the trait '.doubles', or put its body into 'withDoubles'.
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
