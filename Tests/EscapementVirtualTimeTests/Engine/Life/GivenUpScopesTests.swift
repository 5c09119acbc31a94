import EscapementVirtualTime
import TestSupport
import Testing

/// Bodies that ignore their cancellation, in a process of their own: they stay in its memory.
@Suite(.virtualStandardClocks) struct GivenUpScopesTests {
  @Test(.takingTurns) func `scopes that were given up do not use up the number of scopes`() async {
    await #expect(processExitsWith: .success) {
      var givenUp = 0
      for _ in 0..<2_200 {
        do {
          try await withVirtualTime(VirtualTimeOptions(jobLimit: 10)) { _ in
            while true { await Task.yield() }
          }
        } catch VirtualTimeError.bodyGivenUp {
          givenUp += 1
        } catch {
          break
        }
      }
      precondition(givenUp == 2_200, "\(givenUp) scopes were given up, then none could start")
      let elapsed = try await withVirtualTime { time in
        try await Task.sleep(for: .seconds(1))
        return time.now.offset
      }
      precondition(elapsed == .seconds(1))
    }
  }
}
