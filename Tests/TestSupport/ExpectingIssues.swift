package import Testing

/// Stands around another trait and expects the issues that the test reports there.
package struct ExpectingIssues: TestTrait, TestScoping {
  package let parts: [String]

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    nonisolated(unsafe) var messages: [String] = []
    try await withKnownIssue {
      try await function()
    } matching: { issue in
      messages.append(issue.comments.map(\.rawValue).joined() + "\(issue.error, default: "")")
      return true
    }
    #expect(messages.count == parts.count, "\(messages)")
    for (part, message) in zip(parts, messages) { #expect(message.contains(part)) }
  }
}

extension Trait where Self == ExpectingIssues {
  package static func expecting(_ parts: String...) -> Self { ExpectingIssues(parts: parts) }
}
