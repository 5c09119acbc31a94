import Escapement
import EscapementTesting
import StandardDeadlineWithBody
import StandardDeadlineWithOperation
import TestSupport
import Testing

/// Calls of Escapement's `withDeadline` and of the standard library's in one file.
///
/// A task has an active deadline only in Escapement's, so this tells which one was called.
@Suite(.virtualTime) struct StandardDeadlineTests {
  private var soon: ContinuousClock.Instant { .now + .seconds(5) }
  private let never: ContinuousClock.Instant? = nil

  @Test func `both spellings of the standard library compile beside Escapement's`() async throws {
    #expect(await withDeadline(soon, body: { await Task.hasDeadline }) == false)
    #expect(await withDeadline(soon, operation: { await Task.hasDeadline }) == false)
    #expect(await withDeadline(in: .seconds(5), body: { await Task.hasDeadline }) == false)
    #expect(await withDeadline(in: .seconds(5), operation: { await Task.hasDeadline }) == false)
    #expect(try await Escapement.withDeadline(soon) { await Task.hasDeadline })
    #expect(try await Escapement.withDeadline(in: .seconds(5)) { await Task.hasDeadline })
  }

  @Test(.virtualStandardClocks) func `the name of the module finds the error of Escapement`()
    async throws
  {
    let error = try #require(
      await #expect(throws: DeadlineExpiredError.self) {
        try await Escapement.withDeadline(in: .seconds(5)) {
          try await Task.sleep(for: .seconds(6))
        }
      })
    #expect(error.allowance == .seconds(5))
  }

  @Test func `an optional deadline is Escapement's`() async throws {
    #expect(try await withDeadline(never) { await Task.hasDeadline } == false)
    #expect(try await withDeadline(Optional(soon)) { await Task.hasDeadline })
  }
}

extension Task where Success == Never, Failure == Never {
  /// Whether the caller has a deadline of Escapement's; asynchronous, as most operations are.
  static var hasDeadline: Bool { get async { hasActiveDeadline } }
}
