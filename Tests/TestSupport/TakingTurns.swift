import Dispatch
package import Testing
import _EscapementCore

/// Lets tests run one after the other, whatever suites they belong to, on a thread of their own.
///
/// For exit tests. When a process ends, its test goes on and asks for its result. Until then a
/// thread of Swift Testing uses a whole processor to wait for that, and on the pool the test would
/// wait behind all others. Not for suites in virtual time: there a test that waits is stuck.
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
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      try await withTaskExecutorPreference(OwnThread.shared) { try await function() }
    } else {
      try await function()
    }
  }
}

extension Trait where Self == TakingTurns {
  package static var takingTurns: Self { Self() }
}

@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class OwnThread: TaskExecutor {
  static let shared = OwnThread()

  private let queue = DispatchQueue(label: "exit tests")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
