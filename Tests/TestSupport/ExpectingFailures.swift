package import Testing
import _EscapementCore

/// Expects that a test fails, and hides the failures that it expects from the report.
///
/// It is for what only a whole test shows: how a trait reports, and which test Swift Testing takes a
/// failure for. It stands before the trait under test. In bodies ``issues(in:)`` is shorter.
package struct ExpectingFailures: TestTrait, TestScoping {
  /// A part of the text of each failure, in order.
  let parts: [String]
  /// The line of all of them, if it matters.
  let line: Int?

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let failures = try await failures(for: test, testCase, in: function)
    let texts = failures.map(\.text)
    #expect(texts.count == parts.count, "\(texts)")
    for (part, text) in zip(parts, texts) { #expect(text.contains(part)) }
    if let line { for failure in failures { #expect(failure.line == line) } }
  }
}

extension Trait where Self == ExpectingFailures {
  /// Expects as many failures as there are texts, each with its text in it.
  package static func expecting(_ parts: String..., line: Int? = nil) -> Self {
    ExpectingFailures(parts: parts, line: line)
  }
}

/// A failure, as Swift Testing sees it.
package struct CaughtFailure: Sendable {
  package let text: String
  package let line: Int?
}

/// Runs `body` in the current test, and returns the failures that Swift Testing attributes to it.
///
/// In contrast to ``issues(in:)``, these are failed expectations and errors as well, and those that
/// come out of a process that was started for an expectation.
package func failures(
  in body: @Sendable @concurrent () async throws -> Void
) async throws -> [CaughtFailure] {
  try await failures(for: #require(Test.current), Test.Case.current, in: body)
}

private func failures(
  for test: Test, _ testCase: Test.Case?,
  in body: @Sendable @concurrent () async throws -> Void
) async throws -> [CaughtFailure] {
  let failures = Lock<[CaughtFailure]>([])
  let collecting = IssueHandlingTrait.compactMapIssues { issue in
    // What belongs to no test is shown to everybody who looks, and reported anyway.
    guard Test.current != nil else { return nil }
    let error = issue.error.map { ["\($0)"] } ?? []
    let failure = CaughtFailure(
      text: (error + issue.comments.map(\.rawValue)).joined(separator: "\n"),
      line: issue.sourceLocation?.line)
    failures.withLock { $0.append(failure) }
    return nil
  }
  try await collecting.provideScope(for: test, testCase: testCase) {
    do {
      try await body()
    } catch {
      failures.withLock { $0.append(CaughtFailure(text: "\(error)", line: nil)) }
    }
  }
  return failures.withLock { $0 }
}
