#if canImport(XCTest)
  import EscapementVirtualTime
  import XCTest

  /// The filter of failures in a test of XCTest: issues of IssueReporting, and failed assertions.
  ///
  /// When an observer learns of an assertion that fails, XCTest has reported it. It cannot be kept
  /// from the report, so the search ends with it.
  struct XCTestFailureFilter: FailureFilter {
    let issues: any FailureFilter
    let addsComments = false

    func run(
      isInRun: @escaping @Sendable () -> Bool,
      decide: @escaping @Sendable (RunFailure) -> FailureVerdict,
      _ body: @Sendable @concurrent () async throws -> Void
    ) async throws {
      let observer = AssertionObserver { _ = decide($0) }
      XCTestObservationCenter.shared.addTestObserver(observer)
      defer { XCTestObservationCenter.shared.removeTestObserver(observer) }
      try await issues.run(isInRun: isInRun, decide: decide, body)
    }
  }

  /// Learns of each failure while it is registered; tests of XCTest run one after another.
  private final class AssertionObserver: NSObject, XCTestObservation {
    private let note: @Sendable (RunFailure) -> Void

    init(_ note: @escaping @Sendable (RunFailure) -> Void) { self.note = note }

    #if canImport(ObjectiveC)
      func testCase(_ testCase: XCTestCase, didRecord issue: XCTIssue) {
        let place = issue.sourceCodeContext.location
        learn(issue.compactDescription, "\(place?.fileURL.path ?? ""):\(place?.lineNumber ?? 0)")
      }
    #else
      func testCase(
        _ testCase: XCTestCase, didFailWithDescription text: String, inFile file: String?,
        atLine line: Int
      ) {
        learn(text, "\(file ?? ""):\(line)")
      }
    #endif

    private func learn(_ text: String, _ place: String) {
      note(RunFailure(identity: "\(place) assertion", message: text, isReported: true))
    }
  }
#endif
