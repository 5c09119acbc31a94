import EscapementClocks
import TestSupport
import Testing

@Suite struct UnimplementedClockTests {
  @Test func `each use fails the test at the line that created the clock`() async throws {
    var line = 0
    let issues = try await issues {
      line = #line + 1
      let clock = UnimplementedClock()
      _ = clock.now
      _ = clock.minimumResolution
      try await clock.sleep(until: .init(offset: .seconds(1)))
    }
    #expect(
      issues.map(\.message) == [
        "Unimplemented: Clock.now", "Unimplemented: Clock.minimumResolution",
        "Unimplemented: Clock.sleep",
      ])
    #expect(issues.map(\.line) == [line, line, line])
  }

  @Test func `a clock of the shorthand fails the test at the line of the shorthand`() async throws {
    var line = 0
    let issues = try await issues {
      line = #line + 1
      let clock: some Clock<Duration> = .unimplemented()
      try await clock.sleep(for: .seconds(1))
    }
    #expect(issues.map(\.line) == [line, line])
  }

  @Test func `each call is forwarded to the wrapped clock`() async throws {
    let base = TestClock<Duration>(now: .init(offset: .seconds(100)))
    let issues = try await issues {
      let clock = UnimplementedClock(base, name: "Base")
      let task = Task { try await clock.sleep(for: .seconds(5)) }
      try await base.waitForSleepers(count: 1)
      #expect(base.nextDeadline?.offset == .seconds(105))
      await base.advance(by: .seconds(5))
      try await task.value
      #expect(clock.now.offset == .seconds(5))
    }
    #expect(
      issues.map(\.message) == [
        "Unimplemented: Base.now", "Unimplemented: Base.sleep", "Unimplemented: Base.now",
      ])
  }

  @Test func `the default name is that of the type`() async {
    let issues = issues {
      _ = UnimplementedClock(ContinuousClock()).now
      _ = UnimplementedClock(name: "Mine").now
    }
    #expect(
      issues.map(\.message) == [
        "Unimplemented: ContinuousClock.now", "Unimplemented: Mine.now",
      ])
  }

  @Test func `a copy is the same clock`() {
    let clock = UnimplementedClock()
    let copy = clock
    let other = UnimplementedClock()
    #expect(clock.id == copy.id)
    #expect(clock.id != other.id)
  }

  @Test func `a clock that is not used does not fail the test`() {
    _ = UnimplementedClock()
  }
}
