import Escapement
import EscapementFoundation
import Foundation
import Testing

/// Compares schedules with the enumeration of all minutes, in zones of each kind.
@Suite struct ZonesTests {
  /// Zones with and without daylight saving time, and such that have changed their rules or their
  /// standard time, with changes of half an hour and of a whole day.
  static let zones = [
    "Europe/Berlin", "America/New_York", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia",
    "Asia/Kolkata", "Europe/Istanbul", "Europe/Moscow", "Africa/Casablanca", "America/Caracas",
    "Asia/Pyongyang", "Africa/Cairo", "Asia/Kathmandu", "America/St_Johns", "UTC",
  ]

  /// From 1996 to 2026, in seconds since 1970.
  static let years = 820_454_400..<1_767_225_600 as Range<Int>

  struct Line: Sendable {
    let text: String
    let namesEveryHour: Bool
    let matches: @Sendable (LocalMinute) -> Bool
  }

  static let lines = [
    Line(text: "0 3 * * 1-5", namesEveryHour: false) {
      $0.minute == 0 && $0.hour == 3 && 1...5 ~= $0.weekday
    },
    Line(text: "30 2 * * *", namesEveryHour: false) { $0.minute == 30 && $0.hour == 2 },
    Line(text: "0,15,59 0-4 * * *", namesEveryHour: false) {
      [0, 15, 59].contains($0.minute) && $0.hour <= 4
    },
    Line(text: "*/20 * * * *", namesEveryHour: true) { $0.minute.isMultiple(of: 20) },
    Line(text: "15 23 L * *", namesEveryHour: false) {
      $0.minute == 15 && $0.hour == 23 && $0.isLastOfMonth
    },
    Line(text: "* 1 29 2 *", namesEveryHour: false) {
      $0.hour == 1 && $0.day == 29 && $0.month == 2
    },
  ]

  @Test(arguments: zones)
  func `around each change of 30 years, the runs are those of the enumeration of minutes`(
    zone identifier: String
  ) throws {
    let zone = try #require(TimeZone(identifier: identifier))
    for day in daysOfChange(zone) {
      let reach = 4 * 3600
      let window = day - reach..<day + 86_400 + reach
      let expected = enumerate(window, zone)
      for (index, line) in Self.lines.enumerated() {
        let schedule = try Schedule.cron(line.text, in: zone)
        let runs = runs(of: schedule, in: window)
        #expect(runs == expected[index], "\(line.text) in \(identifier) around \(day)")
        guard runs == expected[index] else { return }
      }
    }
  }

  @Test(arguments: zones)
  func `a daily schedule has one run for each day of 30 years`(zone identifier: String) throws {
    let zone = try #require(TimeZone(identifier: identifier))
    let schedule = try Schedule.daily(at: "02:30", in: zone)
    let start = Self.years.lowerBound / 86_400
    var last = WallClock.Instant(offset: .seconds((start - 2) * 86_400))
    var localDays: [Int] = []
    while let run = schedule.next(after: last) {
      last = run
      let second = Int(run.offset.components.seconds)
      guard second < Self.years.upperBound else { break }
      localDays.append((second + zone.secondsFromUTC(at: second)) / 86_400)
    }
    // Each day once and none left out, but for the day that Samoa has left out.
    let missing = identifier == "Pacific/Apia" ? [15_338] : []
    #expect(localDays == Array(localDays.first!...localDays.last!).filter { !missing.contains($0) })
    #expect(localDays.count > 10_950)
  }

  @Test func `dates and instants are converted without loss to the microsecond`() {
    let instant = WallClock.Instant(offset: .seconds(1_767_225_600) + .milliseconds(250))
    #expect(Date(instant) == Date(timeIntervalSince1970: 1_767_225_600.25))
    #expect(WallClock.Instant(Date(instant)) == instant)
    #expect(WallClock.Instant(Date(timeIntervalSince1970: -0.5)).offset == .milliseconds(-500))
    #expect(WallClock.Instant(Date(timeIntervalSince1970: .infinity)).offset > .seconds(1 << 62))
    #expect(WallClock.Instant(Date(timeIntervalSince1970: -1e300)).offset < .seconds(-1 << 62))
    #expect(WallClock.Instant(Date(timeIntervalSince1970: .nan)).offset > .seconds(1 << 62))
  }
}

// MARK: - The reference

struct LocalMinute {
  let minute, hour, day, month, weekday: Int
  let isLastOfMonth: Bool

  /// Computed anew from Gregorian rules, with a table of months.
  init(_ second: Int) {
    minute = (second / 60) % 60
    hour = (second / 3600) % 24
    var days = second / 86_400
    weekday = (days + 4) % 7
    var year = 1970
    func length(_ year: Int) -> Int {
      year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 366 : 365
    }
    while days >= length(year) {
      days -= length(year)
      year += 1
    }
    let lengths = [31, length(year) - 337, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    var month = 0
    while days >= lengths[month] {
      days -= lengths[month]
      month += 1
    }
    day = days + 1
    self.month = month + 1
    isLastOfMonth = day == lengths[month]
  }
}

extension ZonesTests {
  /// The days of UTC in which the offset changes.
  private func daysOfChange(_ zone: TimeZone) -> [Int] {
    stride(from: Self.years.lowerBound, to: Self.years.upperBound, by: 86_400).filter {
      zone.secondsFromUTC(at: $0) != zone.secondsFromUTC(at: $0 + 86_400)
    }
  }

  private func runs(of schedule: Schedule, in window: Range<Int>) -> [Int] {
    var runs: [Int] = []
    var last = WallClock.Instant(offset: .seconds(window.lowerBound - 1))
    while let run = schedule.next(after: last) {
      last = run
      let second = Int(run.offset.components.seconds)
      guard second < window.upperBound else { break }
      runs.append(second)
    }
    return runs
  }

  /// The runs of each line, by looking at each minute.
  private func enumerate(_ window: Range<Int>, _ zone: TimeZone) -> [[Int]] {
    var runs = Self.lines.map { _ in Set<Int>() }
    // The latest minute of local time that a clock on the wall has shown.
    var latest = Int.min
    var previous: Int?
    // A clock has to be watched from before the window, to know what has been shown.
    for second in stride(from: window.lowerBound - 4 * 3600, to: window.upperBound, by: 60) {
      let offset = zone.secondsFromUTC(at: second)
      let local = second + offset
      if let previous, previous < offset {
        // The minutes that the clock has skipped count with the offset before.
        for skipped in stride(from: second + previous, to: local, by: 60) {
          add(skipped - previous, LocalMinute(skipped), isRepeated: false)
        }
      }
      add(second, LocalMinute(local), isRepeated: local <= latest)
      latest = max(latest, local)
      previous = offset
    }
    func add(_ second: Int, _ minute: LocalMinute, isRepeated: Bool) {
      guard window.contains(second) else { return }
      for (index, line) in Self.lines.enumerated() where line.matches(minute) {
        if !isRepeated || line.namesEveryHour { runs[index].insert(second) }
      }
    }
    return runs.map { $0.sorted() }
  }
}
