import Testing

@testable import EscapementClocks

@Suite struct TickScheduleTests {
  private typealias Instant = TestClock<Duration>.Instant

  /// When the ticks come if the loop body takes as long as told after each tick.
  private func ticks(_ missed: MissedTicks, bodies: [Duration]) -> [Duration] {
    var schedule = TickSchedule(start: Instant(), interval: .seconds(1), missed: missed)
    var now = Instant()
    return bodies.map { body in
      let asked = now
      now = max(now, schedule.nextDeadline)
      schedule.tick(asked: asked, delivered: now)
      defer { now = now.advanced(by: body) }
      return now.offset
    }
  }

  private let slowSecond: [Duration] = [
    .zero, .seconds(2.5), .zero, .zero, .zero, .zero,
  ]

  @Test(arguments: MissedTicks.allCases)
  func `a body that is quick enough gets every tick on time`(missed: MissedTicks) {
    let bodies = Array(repeating: Duration.seconds(1) - .nanoseconds(1), count: 5)
    #expect(ticks(missed, bodies: bodies) == (1...5).map { .seconds($0) })
  }

  @Test(arguments: MissedTicks.allCases)
  func `a body that takes exactly the interval misses nothing`(missed: MissedTicks) {
    let bodies = Array(repeating: Duration.seconds(1), count: 5)
    #expect(ticks(missed, bodies: bodies) == (1...5).map { .seconds($0) })
  }

  @Test func `skipping goes on at the next multiple of the interval`() {
    #expect(ticks(.skip, bodies: slowSecond) == [1, 2, 4.5, 5, 6, 7].map { .seconds($0) })
  }

  @Test func `a burst makes up for each missed tick`() {
    #expect(ticks(.burst, bodies: slowSecond) == [1, 2, 4.5, 4.5, 5, 6].map { .seconds($0) })
  }

  @Test func `delaying begins the interval anew`() {
    #expect(ticks(.delay, bodies: slowSecond) == [1, 2, 4.5, 5.5, 6.5, 7.5].map { .seconds($0) })
  }

  @Test func `skipping at the very time of a tick skips that tick too`() {
    let body = Duration.seconds(3)
    #expect(
      ticks(.skip, bodies: [.zero, body, .zero, .zero]) == [1, 2, 5, 6].map { .seconds($0) })
    #expect(
      ticks(.skip, bodies: [.zero, body - .nanoseconds(1), .zero, .zero])
        == [.seconds(1), .seconds(2), .seconds(5) - .nanoseconds(1), .seconds(5)])
  }

  @Test(arguments: MissedTicks.allCases)
  func `a clock that wakes late by less than an interval shifts nothing`(missed: MissedTicks) {
    var schedule = TickSchedule(start: Instant(), interval: .seconds(1), missed: missed)
    var asked = Instant()
    for second in 1...100 {
      let delivered = schedule.nextDeadline.advanced(by: .seconds(1) - .nanoseconds(1))
      #expect(schedule.nextDeadline.offset == .seconds(second))
      schedule.tick(asked: asked, delivered: delivered)
      asked = schedule.nextDeadline.advanced(by: .nanoseconds(-1))
    }
  }

  @Test(arguments: [MissedTicks.skip, .delay])
  func `a clock that wakes late by an interval misses one`(missed: MissedTicks) {
    var schedule = TickSchedule(start: Instant(), interval: .seconds(1), missed: missed)
    schedule.tick(asked: Instant(), delivered: Instant(offset: .seconds(2)))
    #expect(schedule.nextDeadline.offset == .seconds(3))
  }

  @Test(arguments: MissedTicks.allCases)
  func `100,000 ticks do not drift`(missed: MissedTicks) {
    let interval = Duration.nanoseconds(16_666_667)
    var schedule = TickSchedule(start: Instant(), interval: interval, missed: missed)
    var now = Instant()
    for _ in 0..<100_000 {
      let asked = now
      now = schedule.nextDeadline
      schedule.tick(asked: asked, delivered: now)
    }
    #expect(now.offset == interval * 100_000)
  }

  @Test func `skipping is exact however many ticks were missed`() {
    let interval = Duration(secondsComponent: 0, attosecondsComponent: 3)
    for missed in [1, 1000, 1 << 53, (1 << 60) + 1] {
      var schedule = TickSchedule(start: Instant(), interval: interval, missed: .skip)
      let now = Instant(offset: interval * missed)
      schedule.tick(asked: now, delivered: now)
      #expect(schedule.nextDeadline.offset == interval * (missed + 1), "\(missed)")
    }
  }

  @Test(arguments: [4, 5, 6])
  func `skipping counts other durations as well`(now: Int) {
    let now = TestClock<Frames>.Instant(offset: Frames(count: now))
    var schedule = TickSchedule(
      start: TestClock<Frames>.Instant(), interval: Frames(count: 2), missed: .skip)
    schedule.tick(asked: now, delivered: now)
    #expect(schedule.nextDeadline.offset.count == now.offset.count / 2 * 2 + 2)
  }

  @Test(arguments: MissedTicks.allCases)
  func `at the end of the range the ticks stay there`(missed: MissedTicks) {
    let end = Instant(offset: .seconds(Int64.max))
    var schedule = TickSchedule(start: end, interval: .seconds(Int64.max), missed: missed)
    for _ in 0..<3 {
      #expect(schedule.nextDeadline == end)
      schedule.tick(asked: end, delivered: end)
    }
  }
}
