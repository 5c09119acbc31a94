import Foundation
import Testing

@testable import PointsOfInterest

@Suite struct LocalTimeTests {
  /// 2026-06-07, a Sunday, 23:59 in San Jose.
  private let lastMinuteOfWeek = Date(timeIntervalSince1970: 1_780_901_940)

  @Test func `Sunday is the last day of the week`() {
    #expect(LocalTime(lastMinuteOfWeek) == LocalTime(.sunday, hour: 23, minute: 59))
    #expect(
      LocalTime(lastMinuteOfWeek + 59.999) == LocalTime(.sunday, hour: 23, minute: 59))
    #expect(LocalTime(lastMinuteOfWeek + 60) == LocalTime(.monday, hour: 0, minute: 0))
  }

  @Test func `each day of the week is distinguished`() {
    for (index, day) in Weekday.allCases.enumerated() {
      let time = LocalTime(lastMinuteOfWeek + 60 + Double(index) * 86_400)
      #expect(time == LocalTime(day, hour: 0, minute: 0))
      #expect(time.weekday == day)
      #expect(time.hour == 0)
    }
  }

  @Test func `in spring an hour is skipped`() {
    // 2026-03-08, a Sunday, 02:00.
    let change = Date(timeIntervalSince1970: 1_772_964_000)
    #expect(LocalTime(change - 60) == LocalTime(.sunday, hour: 1, minute: 59))
    #expect(LocalTime(change) == LocalTime(.sunday, hour: 3, minute: 0))
  }

  @Test func `an invalid time of day is refused`() {
    #expect(LocalTime(.monday, hour: 23, minute: 59) != nil)
    #expect(LocalTime(.monday, hour: 24, minute: 0) == nil)
    #expect(LocalTime(.monday, hour: 0, minute: 60) == nil)
    #expect(LocalTime(.monday, hour: -1, minute: 0) == nil)
  }
}
