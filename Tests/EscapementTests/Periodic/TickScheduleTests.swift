import EscapementClocks
import Testing

@testable import Escapement

@Suite struct TickScheduleTests {
  typealias Instant = TestClock<Duration>.Instant

  /// The ticks that come when the runs take so long, in milliseconds, with an interval of 10.
  private func ticks(_ missed: MissedTicks, runs: [Int]) -> [Int] {
    var now = Instant()
    var schedule = TickSchedule(start: now, interval: .milliseconds(10), missed: missed)
    return runs.map { duration in
      now = max(now, schedule.next)
      let tick = Int(now.offset / .milliseconds(1))
      now = now.advanced(by: .milliseconds(duration))
      schedule.advance(now: now)
      return tick
    }
  }

  @Test(arguments: [MissedTicks.skip, .burst, .delay])
  func `runs shorter than the interval leave the grid alone`(missed: MissedTicks) {
    #expect(ticks(missed, runs: [0, 9, 5, 1]) == [10, 20, 30, 40])
  }

  @Test(arguments: [MissedTicks.skip, .burst, .delay])
  func `a tick that is due when the run ends is not missed`(missed: MissedTicks) {
    #expect(ticks(missed, runs: [10, 10, 0]) == [10, 20, 30])
  }

  @Test func `skipped ticks are left out`() {
    #expect(ticks(.skip, runs: [11, 0, 0]) == [10, 30, 40])
    #expect(ticks(.skip, runs: [25, 0, 0]) == [10, 40, 50])
    #expect(ticks(.skip, runs: [20, 0, 0]) == [10, 30, 40])
  }

  @Test func `a burst makes up for every missed tick`() {
    #expect(ticks(.burst, runs: [35, 0, 0, 0, 0]) == [10, 45, 45, 45, 50])
  }

  @Test func `a delay moves the grid`() {
    #expect(ticks(.delay, runs: [11, 0, 0]) == [10, 31, 41])
  }

  @Test func `a million ticks do not drift`() {
    // Not a whole number of microseconds, and not exact in binary fractions of a second.
    let interval = Duration.nanoseconds(33_333_333)
    var schedule = TickSchedule(start: Instant(), interval: interval, missed: .skip)
    for _ in 1..<1_000_000 {
      // Woken late each time, by up to nearly an interval.
      schedule.advance(now: schedule.next.advanced(by: .nanoseconds(33_333_332)))
    }
    #expect(schedule.next.offset == interval * 1_000_000)
  }

  @Test func `an interval without end does not overflow`() {
    var schedule = TickSchedule(
      start: Instant(), interval: .seconds(Int64.max), missed: .skip)
    schedule.advance(now: Instant())
    #expect(schedule.next > Instant(offset: .seconds(1_000_000_000_000)))
  }
}
