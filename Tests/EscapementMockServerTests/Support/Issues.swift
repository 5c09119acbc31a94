import Testing

/// Runs `body`, which must fail the test, and returns what was reported, and on which line.
func issues(in body: () async throws -> Void) async rethrows -> [(message: String, line: Int?)] {
  nonisolated(unsafe) var issues: [(message: String, line: Int?)] = []
  try await withKnownIssue {
    try await body()
  } matching: { issue in
    let message = issue.comments.map(\.rawValue).joined(separator: "\n")
    issues.append((message, issue.sourceLocation?.line))
    return true
  }
  return issues
}
