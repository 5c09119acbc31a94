import EscapementTesting
import EscapementVirtualTime
import TestSupport
import Testing

@Suite(.virtualTime) struct TimeHoldTests {
  /// Yields often enough for time to move if it could.
  private func waitForTime() async { for _ in 0..<100 { await Task.yield() } }

  @Test(.virtualStandardClocks) func `time stands until the hold ends`() async throws {
    let time = try #require(VirtualTime.current)
    let hold = time.startHold()
    let sleeper = Task { try await Task.sleep(for: .seconds(1)) }
    await waitForTime()
    #expect(time.now.offset == .zero)
    hold.end()
    try await sleeper.value
    #expect(time.now.offset == .seconds(1))
  }

  @Test(.virtualStandardClocks) func `a hold that is released ends`() async throws {
    let time = try #require(VirtualTime.current)
    _ = time.startHold()
    try await Task.sleep(for: .seconds(1))
    #expect(time.now.offset == .seconds(1))
  }

  @Test(.virtualStandardClocks) func `a hold ends only once`() async throws {
    let time = try #require(VirtualTime.current)
    let (first, second) = (time.startHold(), time.startHold())
    let sleeper = Task { try await Task.sleep(for: .seconds(1)) }
    first.end()
    first.end()
    await waitForTime()
    #expect(time.now.offset == .zero)
    second.end()
    try await sleeper.value
    #expect(time.now.offset == .seconds(1))
  }
}
