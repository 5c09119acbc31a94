import Escapement
import EscapementTesting
import Testing

@Suite(.virtualTime) struct WithFallbackTests {
  private struct Failure: Error, Equatable {
    var code = 0
  }

  @Test func `the fallback gets the error, and its result is returned`() async throws {
    let result = try await withFallback {
      throw Failure(code: 5)
    } fallback: { error in
      (error as? Failure)?.code
    }
    #expect(result == 5)
  }

  @Test func `without an error there is no fallback`() async throws {
    let result = try await withFallback {
      1
    } fallback: { _ in
      2
    }
    #expect(result == 1)
  }

  @Test func `an error that is not handled is thrown, and so is that of the fallback`() async {
    await #expect(throws: Failure(code: 1)) {
      try await withFallback(when: { _ in false }) {
        throw Failure(code: 1)
      } fallback: { _ in
        throw Failure(code: 2)
      }
    }
    await #expect(throws: Failure(code: 2)) {
      try await withFallback {
        throw Failure(code: 1)
      } fallback: { _ in
        throw Failure(code: 2)
      }
    }
  }

  @Test func `a cancelled task has no fallback`() async {
    let task = Task {
      try await withFallback {
        withUnsafeCurrentTask { $0?.cancel() }
        throw Failure(code: 1)
      } fallback: { _ in
        Issue.record("fell back")
      }
    }
    await #expect(throws: Failure(code: 1)) { try await task.value }
  }

  @Test @MainActor func `both run on the actor of the caller`() async throws {
    var calls: [String] = []
    try await withFallback {
      MainActor.assertIsolated()
      calls.append("operation")
      throw Failure()
    } fallback: { _ in
      MainActor.assertIsolated()
      calls.append("fallback")
    }
    #expect(calls == ["operation", "fallback"])
  }
}
