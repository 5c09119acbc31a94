package import Testing
import _EscapementCore

/// Lets tests run one after the other, whatever suites they belong to.
///
/// For exit tests. The task of each waits for its process in a system call, and
/// there is one place for each processor: if all places are taken, no other test goes on.
package struct TakingTurns: TestTrait, TestScoping {
  private static let last = Lock<Task<Void, Never>?>(nil)

  package func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let (stream, end) = AsyncStream.makeStream(of: Never.self)
    let turn = Task { for await _ in stream {} }
    let before = Self.last.withLock { last in
      defer { last = turn }
      return last
    }
    await before?.value
    defer { end.finish() }
    try await function()
  }
}

extension Trait where Self == TakingTurns {
  package static var takingTurns: Self { Self() }
}
