import Testing

/// What a test has reported, and on which line.
package typealias CaughtIssue = (message: String, line: Int?)

/// Runs `body`, which must fail the test, and returns what was reported, and on which line.
package func issues(in body: () throws -> Void) rethrows -> [CaughtIssue] {
  nonisolated(unsafe) var issues: [CaughtIssue] = []
  try withKnownIssue {
    try body()
  } matching: { issue in
    issues.append(caught(issue))
    return true
  }
  return issues
}

/// The same for a body that suspends.
package func issues(in body: () async throws -> Void) async rethrows -> [CaughtIssue] {
  nonisolated(unsafe) var issues: [CaughtIssue] = []
  try await withKnownIssue {
    try await body()
  } matching: { issue in
    issues.append(caught(issue))
    return true
  }
  return issues
}

private func caught(_ issue: Issue) -> CaughtIssue {
  (issue.comments.map(\.rawValue).joined(separator: "\n"), issue.sourceLocation?.line)
}
