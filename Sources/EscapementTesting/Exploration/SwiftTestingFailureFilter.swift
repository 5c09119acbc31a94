#if canImport(Testing)
  import EscapementVirtualTime
  import IssueReporting
  import Testing
  import _EscapementCore

  /// The filter of failures in a test of Swift Testing: all issues that count as failures.
  struct SwiftTestingFailureFilter: FailureFilter {
    let test: Test
    let testCase: Test.Case?
    let addsComments = true

    func run(
      isInRun: @escaping @Sendable () -> Bool,
      decide: @escaping @Sendable (RunFailure) -> FailureVerdict,
      _ body: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let filter = IssueHandlingTrait.compactMapIssues { issue in
        if Test.current == nil {
          // Swift Testing knows no test of a detached task or a thread. It shows such an issue to
          // the filters of all tests that run, and reports it besides.
          if isInRun() { _ = decide(RunFailure(issue, isReported: true)) }
          return nil
        }
        switch decide(RunFailure(issue)) {
        case .drop: return nil
        case .pass: return issue
        case .comment(let comment):
          var issue = issue
          issue.comments.append(Comment(rawValue: comment))
          return issue
        }
      }
      try await filter.provideScope(for: test, testCase: testCase, performing: body)
    }
  }

  extension RunFailure {
    fileprivate init(_ issue: Issue, isReported: Bool = false) {
      let kind =
        switch issue.kind {
        case .unconditional: Self.kind(ofText: issue.comments.first?.rawValue ?? "")
        case .expectationFailed: "expectation"
        case .errorCaught(let error): Self.kind(of: error)
        default: Self.kind(ofText: "\(issue.kind)")
        }
      let place = issue.sourceLocation.map { "\($0.fileID):\($0.line):\($0.column) " } ?? ""
      self.init(
        identity: place + kind, message: "\(issue)", isReported: isReported,
        isWarning: !issue.isFailure)
    }
  }

  /// Called by `EscapementVirtualTime`, which cannot import the test framework.
  @_silgen_name("escapement_failure_filter_provider")
  func failureFilterProvider() -> UnsafeMutableRawPointer {
    let provider = FailureFilterProvider { issues in
      if let test = Test.current {
        return SwiftTestingFailureFilter(test: test, testCase: Test.Case.current)
      }
      #if canImport(XCTest)
        return TestContext.current == .xcTest ? XCTestFailureFilter(issues: issues) : issues
      #else
        return issues
      #endif
    }
    return Unmanaged.passRetained(provider).toOpaque()
  }
#endif
