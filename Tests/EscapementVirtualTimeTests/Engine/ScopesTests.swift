import CVirtualTime
import TestSupport
import Testing

@testable import EscapementVirtualTime

@Suite struct ScopesTests {
  // In a process of its own, because it begins clocks with a number of its choice.
  @Test(.takingTurns) func `a handle keeps its time when another scope has the clocks`() async {
    await #expect(processExitsWith: .success) {
      let time = try await withVirtualTime { time in
        try await time.sleep(for: .seconds(7))
        return time
      }
      let another = time.scope.number + UInt32(cvt_max_scopes)
      cvt_clocks_begin(another, 0, false, 0)
      cvt_clocks_set_elapsed(cvt_clocks_of(another), 1)
      #expect(time.now.offset == .seconds(7))
      await #expect(throws: VirtualTimeError.scopeEnded) {
        try await time.sleep(for: .nanoseconds(1))
      }
    }
  }
}
