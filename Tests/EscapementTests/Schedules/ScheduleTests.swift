import TestSupport
import Testing

@testable import Escapement

@Suite struct ScheduleTests {
  /// The first runs after the beginning of a day in UTC, as texts of ISO 8601.
  private func runs(
    _ schedule: Schedule, after start: WallClock.Instant = instant(2026, 1, 1, 0, 0, 0),
    _ count: Int
  ) -> [String] {
    schedule.runs(after: start).prefix(count).map { "\($0)" }
  }

  // The examples of crontab(5), with the words of the page.
  @Test(arguments: [
    // five minutes after midnight, every day
    ("5 0 * * *", ["2026-01-01T00:05:00Z", "2026-01-02T00:05:00Z"]),
    // at 2:15pm on the first of every month
    ("15 14 1 * *", ["2026-01-01T14:15:00Z", "2026-02-01T14:15:00Z"]),
    // at 10 pm on weekdays
    ("0 22 * * 1-5", ["2026-01-01T22:00:00Z", "2026-01-02T22:00:00Z", "2026-01-05T22:00:00Z"]),
    // 23 minutes after midnight, 2am, 4am ..., everyday
    ("23 0-23/2 * * *", ["2026-01-01T00:23:00Z", "2026-01-01T02:23:00Z"]),
    // at 5 after 4 every sunday
    ("5 4 * * sun", ["2026-01-04T04:05:00Z", "2026-01-11T04:05:00Z"]),
    // at 4:30 am on the 1st and 15th of each month, plus every Friday
    (
      "30 4 1,15 * 5",
      [
        "2026-01-01T04:30:00Z", "2026-01-02T04:30:00Z", "2026-01-09T04:30:00Z",
        "2026-01-15T04:30:00Z", "2026-01-16T04:30:00Z",
      ]
    ),
    ("0 0 29 2 *", ["2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z"]),
    ("0 0 29 2 1/7,?", ["2028-02-29T00:00:00Z"]),
    ("59 23 31 12 *", ["2026-12-31T23:59:00Z", "2027-12-31T23:59:00Z"]),
    ("0 0 L * *", ["2026-01-31T00:00:00Z", "2026-02-28T00:00:00Z", "2026-03-31T00:00:00Z"]),
    ("0 0 * * fri#2", ["2026-01-09T00:00:00Z", "2026-02-13T00:00:00Z"]),
    ("0 0 * * friL", ["2026-01-30T00:00:00Z", "2026-02-27T00:00:00Z"]),
    ("0 0 * * 5#5", ["2026-01-30T00:00:00Z", "2026-05-29T00:00:00Z"]),
    ("0 0 15 * 1L,3", ["2026-01-07T00:00:00Z", "2026-01-14T00:00:00Z", "2026-01-15T00:00:00Z"]),
    ("0 0 15W * *", ["2026-01-15T00:00:00Z", "2026-02-16T00:00:00Z", "2026-03-16T00:00:00Z"]),
    ("0 0 1w,lW 8 *", ["2026-08-03T00:00:00Z", "2026-08-31T00:00:00Z", "2027-08-02T00:00:00Z"]),
    ("0 0 31W * *", ["2026-01-30T00:00:00Z", "2026-03-31T00:00:00Z", "2026-05-29T00:00:00Z"]),
    ("@weekly", ["2026-01-04T00:00:00Z", "2026-01-11T00:00:00Z"]),
  ])
  func `a cron line has its documented runs`(line: String, expected: [String]) throws {
    #expect(runs(try .cron(line, in: .utc), expected.count) == expected)
  }

  @Test func `a leap day is skipped in 2100`() throws {
    let schedule = try Schedule.cron("0 0 29 2 *", in: .utc)
    #expect(schedule.next(after: instant(2096, 2, 29))?.description == "2104-02-29T00:00:00Z")
  }

  @Test func `a run is later than the instant by a nanosecond or more`() throws {
    let schedule = try Schedule.daily(at: "03:00", in: .utc)
    let run = instant(2026, 1, 1, 3)
    #expect(schedule.next(after: run.advanced(by: .nanoseconds(-1))) == run)
    #expect(schedule.next(after: run) == instant(2026, 1, 2, 3))
    #expect(schedule.next(after: run.advanced(by: .nanoseconds(1))) == instant(2026, 1, 2, 3))
  }

  @Test func `several times of a day are in order and once each`() throws {
    let schedule = try Schedule.daily(at: "16:45", "03:30", "16:45", in: .utc)
    #expect(
      runs(schedule, 3) == [
        "2026-01-01T03:30:00Z", "2026-01-01T16:45:00Z", "2026-01-02T03:30:00Z",
      ])
    #expect(schedule.description == "daily at 16:45, 03:30, 16:45")
  }
}

// MARK: - Days and combinations

extension ScheduleTests {
  // The calendar of weekdays has a period of 28 years.
  @Test func `the nearest weekday is the one of the month at the least distance`() throws {
    for (year, month) in (2001...2028).flatMap({ year in (1...12).map { (year, $0) } }) {
      let first = CivilDate(year: year, month: month, day: 1)
      let weekdays = (1...first.lengthOfMonth).filter {
        1...5 ~= CivilDate.weekday(daysSince1970: first.daysSince1970 + $0 - 1)
      }
      for day in 1...first.lengthOfMonth {
        let nearest = weekdays.min { abs($0 - day) < abs($1 - day) }!
        let line = "0 0 \(day == first.lengthOfMonth ? "L" : "\(day)")W \(month) *"
        let run = try Schedule.cron(line, in: .utc).next(
          after: instant(year, month, 1).advanced(by: .nanoseconds(-1)))
        #expect(run == instant(year, month, nearest), "\(line), \(year)")
      }
    }
  }

  @Test func `on days that are left out nothing runs, by the local time of the days`() throws {
    let days = try Schedule.cron("0 */12 * * *", in: .utc).excluding(
      days: ["2026-01-02", "2026-01-03"], in: SteppedZone(first: 12 * 3600, changes: []))
    // There, the second of January begins at noon of the first.
    #expect(
      runs(days, after: instant(2025, 12, 31, 23), 3) == [
        "2026-01-01T00:00:00Z", "2026-01-03T12:00:00Z", "2026-01-04T00:00:00Z",
      ])
  }

  @Test(arguments: [("2026-03-29", 23), ("2026-10-25", 25), ("2026-03-30", 24)])
  func `a day that is left out is as long as it is in its zone`(day: String, hours: Int) throws {
    let hourly = try Schedule.every(.seconds(3600))
    let start = instant(2026, 1, 1)
    let end = instant(2027, 1, 1)
    let all = Array(hourly.ending(at: end).runs(after: start))
    let others = try hourly.ending(at: end).excluding(days: [day], in: SteppedZone.berlin)
    #expect(Array(others.runs(after: start)).count == all.count - hours)
  }

  // Changes at midnight, and in both directions.
  @Test(arguments: [-7_200, -3_600, -1, 1, 1_800, 3_600, 86_400], [-3_600, -1, 0, 1, 3_600])
  func `days that are left out are those of a filter`(step: Int, distance: Int) throws {
    let midnight = instant(2026, 3, 2).wholeSeconds
    let zone = SteppedZone(first: 0, changes: [(midnight + distance, step)])
    let (first, last) = (midnight - 2 * 86_400, midnight + 3 * 86_400)
    for day in ["2026-03-01", "2026-03-02", "2026-03-03"] {
      let date = try #require(CivilDate(day)).daysSince1970
      let schedule = try Schedule.every(.seconds(600))
        .ending(at: .init(seconds: last)).excluding(days: [day], in: zone)
      let expected = stride(from: first, through: last, by: 600).filter {
        ($0 + zone.secondsFromUTC(at: $0)).floorDivided(by: 86_400) != date
      }
      let runs = schedule.runs(after: .init(seconds: first - 1)).map(\.wholeSeconds)
      #expect(runs == expected, "\(day)")
    }
  }

  @Test func `days are left out at once, however many runs they have`() throws {
    let schedule = try Schedule.every(.nanoseconds(1)).excluding(
      days: ["2026-01-01", "2026-01-02"], in: .utc)
    #expect(schedule.next(after: instant(2026, 1, 1)) == instant(2026, 1, 3))
    let last = instant(2025, 12, 31, 23, 59, 59).advanced(by: .nanoseconds(999_999_998))
    #expect(schedule.next(after: last) == last.advanced(by: .nanoseconds(1)))
    #expect(schedule.ending(at: instant(2026, 1, 2)).next(after: instant(2026, 1, 1)) == nil)
    // Where there is no calendar, nothing is left out.
    let far = WallClock.Instant(seconds: .max / 2)
    #expect(schedule.next(after: far) == nil)
  }

  @Test(arguments: [
    "", "2026-12", "2026-12-32", "2026-02-29", "2026-13-01", "0000-01-01", "26-12-24", "2026-1-1",
    "2026-12-24 ", "-026-12-24", "2026-12-２4", "24.12.2026",
  ])
  func `a day that is not in the calendar is refused`(text: String) throws {
    let schedule = try Schedule.cron("@daily", in: .utc)
    #expect {
      try schedule.excluding(days: ["2026-12-24", text], in: .utc)
    } throws: {
      ($0 as? CronSyntaxError)?.line == text
    }
  }

  @Test func `a run just before the end of a day belongs to it`() throws {
    let (day, midnight) = (instant(2026, 12, 25), instant(2026, 12, 26))
    let first = midnight.advanced(by: Duration(secondsComponent: 0, attosecondsComponent: -1))
    let schedule = try Schedule.every(.seconds(60), from: first)
    let others = try schedule.excluding(days: ["2026-12-25"], in: .utc)
    #expect(others.next(after: day) == first.advanced(by: .seconds(60)))
    #expect(schedule.starting(at: midnight).next(after: day) == first.advanced(by: .seconds(60)))
    let sevenths = try Schedule.every(.seconds(60) / 7)
      .excluding(days: ["2026-12-25"], in: .utc)
    #expect(try #require(sevenths.next(after: day)) >= midnight)
  }

  @Test func `ten thousand schedules are combined`() throws {
    let daily = try Schedule.cron("@daily", in: .utc)
    let all = (1..<10_000).reduce(daily) { all, _ in all.combined(with: daily) }
    #expect(all.next(after: instant(2026, 1, 1)) == instant(2026, 1, 2))
  }

  @Test func `combined schedules have the runs of both, in order and once each`() throws {
    let quarters = try Schedule.every(.seconds(900)).ending(at: instant(2026, 1, 1, 0, 45))
    let hours = try Schedule.cron("@hourly", in: .utc).excluding(days: ["2026-01-01"], in: .utc)
    let both = quarters.combined(with: hours).combined(with: quarters)
    #expect(
      runs(both, 5) == [
        "2026-01-01T00:15:00Z", "2026-01-01T00:30:00Z", "2026-01-01T00:45:00Z",
        "2026-01-02T00:00:00Z", "2026-01-02T01:00:00Z",
      ])
    #expect(both.starting(at: instant(2026, 1, 3)).next(after: .unixEpoch) == instant(2026, 1, 3))
    #expect(
      try Schedule.every(.seconds(1)).combined(with: hours).description
        == "every 1.0 seconds, and @hourly")
  }
}

// MARK: - Changes of the offset

extension ScheduleTests {
  private var beforeSpring: WallClock.Instant { instant(2026, 3, 28, 22) }
  private var beforeAutumn: WallClock.Instant { instant(2026, 10, 24, 22) }

  @Test func `a run whose time is missing takes place later by the length of the gap`() throws {
    let schedule = try Schedule.cron("30 2 * * *", in: SteppedZone.berlin)
    #expect(
      runs(schedule, after: instant(2026, 3, 27), 3) == [
        "2026-03-27T01:30:00Z", "2026-03-28T01:30:00Z", "2026-03-29T01:30:00Z",
      ])
    #expect(schedule.next(after: instant(2026, 3, 29, 1, 30)) == instant(2026, 3, 30, 0, 30))
  }

  @Test func `runs of a gap and runs after it are in order, and once where they coincide`() throws {
    let schedule = try Schedule.cron("10,50 2,3 * * *", in: SteppedZone.berlin)
    #expect(
      runs(schedule, after: beforeSpring, 3) == [
        "2026-03-29T01:10:00Z", "2026-03-29T01:50:00Z", "2026-03-30T00:10:00Z",
      ])
    let mixed = try Schedule.daily(at: "02:50", "03:10", in: SteppedZone.berlin)
    #expect(
      runs(mixed, after: beforeSpring, 2) == ["2026-03-29T01:10:00Z", "2026-03-29T01:50:00Z"])
  }

  @Test func `a run whose time comes twice takes place the first time`() throws {
    let schedule = try Schedule.cron("30 2 * * *", in: SteppedZone.berlin)
    #expect(
      runs(schedule, after: beforeAutumn, 2) == ["2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z"])
    #expect(schedule.next(after: instant(2026, 10, 25, 1)) == instant(2026, 10, 26, 1, 30))
  }

  @Test func `a schedule of every hour keeps its distance when an hour comes twice`() throws {
    let schedule = try Schedule.cron("*/30 * * * *", in: SteppedZone.berlin)
    let expected = (1...8).map { instant(2026, 10, 24, 23).advanced(by: .seconds($0 * 1800)) }
    #expect(Array(schedule.runs(after: instant(2026, 10, 24, 23)).prefix(8)) == expected)
    let spring = (1...8).map { instant(2026, 3, 28, 23).advanced(by: .seconds($0 * 1800)) }
    #expect(Array(schedule.runs(after: instant(2026, 3, 28, 23)).prefix(8)) == spring)
  }

  @Test func `a missing day has its runs on the next day`() throws {
    // Samoa left out 30 December 2011.
    let samoa = SteppedZone(
      first: -36_000, changes: [(instant(2011, 12, 30, 10).wholeSeconds, 50_400)])
    let schedule = try Schedule.cron("0 12 30 * *", in: samoa)
    #expect(schedule.next(after: instant(2011, 12, 1)) == instant(2011, 12, 30, 22))
    let daily = try Schedule.cron("0 12 * * *", in: samoa)
    #expect(
      runs(daily, after: instant(2011, 12, 29, 12), 3) == [
        "2011-12-29T22:00:00Z", "2011-12-30T22:00:00Z", "2011-12-31T22:00:00Z",
      ])
  }

  @Test func `offsets without bounds do not end the process`() throws {
    struct Wild: UTCOffsets {
      func secondsFromUTC(at second: Int) -> Int { second.isMultiple(of: 2) ? .max : .min }
    }
    let schedule = try Schedule.cron("30 2 * * *", in: Wild())
    #expect(Array(schedule.runs(after: instant(2026, 1, 1)).prefix(20)).count == 20)
  }
}

// MARK: - Intervals and bounds

extension ScheduleTests {
  @Test func `an interval counts from its start, which is the first run`() throws {
    let schedule = try Schedule.every(.seconds(90), from: instant(2026, 1, 1, 12))
    #expect(
      runs(schedule, 3) == [
        "2026-01-01T12:00:00Z", "2026-01-01T12:01:30Z", "2026-01-01T12:03:00Z",
      ])
    let start = instant(2026, 1, 1, 12)
    #expect(schedule.next(after: start) == start.advanced(by: .seconds(90)))
    #expect(schedule.next(after: start.advanced(by: .nanoseconds(-1))) == start)
  }

  @Test func `an interval without a start is aligned to the clock of UTC`() throws {
    let schedule = try Schedule.every(.seconds(3600))
    #expect(schedule.next(after: instant(2026, 1, 1, 12, 34)) == instant(2026, 1, 1, 13))
    #expect(schedule.next(after: instant(1969, 12, 31)) == .unixEpoch)
  }

  @Test(arguments: [Duration.zero, .seconds(-1)])
  func `an interval that is not positive is refused`(interval: Duration) {
    let error = #expect(throws: InvalidArgumentError.self) { try Schedule.every(interval) }
    #expect(error?.argument == "interval")
  }

  @Test func `start and end are included, and can only narrow`() throws {
    let (first, last) = (instant(2026, 1, 2), instant(2026, 1, 4))
    let schedule = try Schedule.cron("0 0 * * *", in: .utc).starting(at: first).ending(at: last)
    #expect(Array(schedule.runs(after: instant(2020, 1, 1))) == [first, instant(2026, 1, 3), last])
    let wider = schedule.starting(at: instant(2025, 1, 1)).ending(at: instant(2027, 1, 1))
    #expect(Array(wider.runs(after: instant(2020, 1, 1))).count == 3)
    let narrower = schedule.starting(at: first.advanced(by: .nanoseconds(1)))
      .ending(at: last.advanced(by: .nanoseconds(-1)))
    #expect(Array(narrower.runs(after: instant(2020, 1, 1))) == [instant(2026, 1, 3)])
  }

  @Test func `a schedule ends with the year 9999 and at the end of the range`() throws {
    let local = try Schedule.cron("59 23 31 12 *", in: .utc)
    #expect(local.next(after: instant(9998, 12, 31, 23, 59)) == instant(9999, 12, 31, 23, 59))
    #expect(local.next(after: instant(9999, 12, 31, 23, 59)) == nil)
    let last = WallClock.Instant(offset: .longest)
    #expect(local.next(after: last) == nil)
    #expect(
      local.next(after: WallClock.Instant(offset: .zero - .longest)) == instant(1, 12, 31, 23, 59))
    let interval = try Schedule.every(.nanoseconds(1))
    #expect(interval.next(after: last) == nil)
    let endless = try Schedule.every(.longest)
    #expect(endless.next(after: .unixEpoch) == last)
    #expect(endless.next(after: last) == nil)
  }

  @Test func `the delays of a run are the same for the same seed, and within the bound`() throws {
    let schedule = try Schedule.every(.seconds(60)).jittered(upTo: .seconds(30), seed: 1)
    let other = try Schedule.every(.seconds(60)).jittered(upTo: .seconds(30), seed: 2)
    let runs = Array(schedule.runs(after: instant(2026, 1, 1)).prefix(1_000))
    let delays = runs.map { $0.duration(to: schedule.jitter.delayed($0)) }
    #expect(delays.allSatisfy { $0 >= .zero && $0 <= .seconds(30) })
    #expect(delays == runs.map { $0.duration(to: schedule.jitter.delayed($0)) })
    #expect(delays != runs.map { $0.duration(to: other.jitter.delayed($0)) })
    let mean = delays.reduce(.zero, +) / 1_000
    #expect(mean > .seconds(14) && mean < .seconds(16))
    for longest in [Duration.nanoseconds(-1), .seconds(365 * 86_400 + 1)] {
      #expect(throws: InvalidArgumentError.self) { try schedule.jittered(upTo: longest) }
    }
  }
}
