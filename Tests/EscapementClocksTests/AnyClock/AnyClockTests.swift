import EscapementClocks
import Testing

@Suite struct AnyClockTests {
  private let base = TestClock<Duration>(now: .init(offset: .seconds(100)))

  @Test func `time is counted from the moment of wrapping`() async {
    let existential: any Clock<Duration> = base
    let clock = AnyClock(existential)
    #expect(clock.now.offset == .zero)
    await base.advance(by: .seconds(2))
    #expect(clock.now.offset == .seconds(2))
  }

  @Test func `a sleep is one of the clock inside`() async throws {
    let clock = AnyClock(base)
    let task = Task { try await clock.sleep(for: .seconds(2)) }
    try await base.waitForSleepers(count: 1)
    #expect(base.nextDeadline?.offset == .seconds(102))
    await base.advance(by: .seconds(2))
    try await task.value
  }

  @Test func `cancellation passes through`() async throws {
    let clock = AnyClock(base)
    let task = Task { try await clock.sleep(for: .seconds(2)) }
    try await base.waitForSleepers(count: 1)
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test func `the resolution is that of the clock inside`() {
    base.minimumResolution = .milliseconds(3)
    #expect(AnyClock(base).minimumResolution == .milliseconds(3))
  }

  @Test func `wrappers of one clock are different clocks, as their times differ`() {
    let clocks = [AnyClock(base), AnyClock(base)]
    #expect(clocks[0].id != clocks[1].id)
  }

  @Test func `instants are compared, moved and measured by their offsets`() {
    let instant = AnyClock<Duration>.Instant(offset: .seconds(1))
    #expect(AnyClock<Duration>.Instant() < instant)
    #expect(instant.advanced(by: .seconds(2)).offset == .seconds(3))
    #expect(instant.duration(to: .init()) == .seconds(-1))
  }
}
