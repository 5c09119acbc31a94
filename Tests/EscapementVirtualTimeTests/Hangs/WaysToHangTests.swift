import TestSupport
import Testing

@testable import EscapementVirtualTime

/// The ways in which tests hang, leak or stall: each one fails with a message, and the process goes on.
///
/// The article *Ways to hang* has the same table.
@Suite(.virtualStandardClocks) struct WaysToHangTests {
  @Test(.withoutOptimisation, arguments: WayToHang.waiting)
  private func `a body waits for`(_ way: WayToHang) async throws {
    await way.check()
    try await checkThatAnOrdinaryScopeWorks()
  }

  // Limits of real time, which a slow machine may reach before the others.
  @Test(.withoutThreadSanitizer, arguments: WayToHang.goingOn)
  private func `no end comes to`(_ way: WayToHang) async throws {
    await way.check()
    try await checkThatAnOrdinaryScopeWorks()
  }

  // In a process of its own, since all later tests would be slower.
  @Test(.takingTurns, .withoutThreadSanitizer)
  func `no end comes to threads that start others, and wait`() async throws {
    await #expect(processExitsWith: .success) {
      await WayToHang.leavingThreads.check()
      try await checkThatAnOrdinaryScopeWorks()
    }
  }

  @Test(.withoutOptimisation, arguments: WayToHang.leaking)
  private func `what is left over is`(_ way: WayToHang) async throws {
    await way.check()
    try await checkThatAnOrdinaryScopeWorks()
  }

  // In a process of its own, which each of them leaves with a thread less.
  @Test(.withoutOptimisation, .timeLimit(.minutes(60)), .withoutThreadSanitizer, .takingTurns)
  func `a task does not give its thread back`() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      for way in WayToHang.blocking {
        await way.check()
        WayToHang.checked.pointee += 1
      }
      await MainActor.run {}
      try await checkThatAnOrdinaryScopeWorks()
    }
    let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(!output.contains(WayToHang.mark), "\(output)")
  }
}
