import Testing

@testable import Escapement

@Suite struct CivilDateTests {
  @Test func `each day of 1000 years has the date after that of the day before`() {
    var expected = CivilDate(year: 1599, month: 12, day: 31)
    for day in expected.daysSince1970...expected.daysSince1970 + 365_250 {
      let date = CivilDate(daysSince1970: day)
      guard date == expected, date.daysSince1970 == day else {
        Issue.record("day \(day) is \(date), but should be \(expected)")
        return
      }
      if expected.day < expected.lengthOfMonth {
        expected.day += 1
      } else {
        expected = expected.nextMonth
      }
    }
  }

  @Test func `known days have their dates and days of the week`() {
    #expect(CivilDate(year: 1970, month: 1, day: 1).daysSince1970 == 0)
    #expect(CivilDate(year: 1, month: 1, day: 1).daysSince1970 == -719_162)
    #expect(CivilDate(year: 2000, month: 2, day: 29).daysSince1970 == 11_016)
    #expect(CivilDate.weekday(daysSince1970: 0) == 4)
    #expect(CivilDate.weekday(daysSince1970: -5) == 6)
    #expect(CivilDate.weekday(daysSince1970: 11_016) == 2)
  }

  @Test func `a year has a leap day if 4 divides it, and 400 if 100 does`() {
    let lengths = [1900, 2000, 2023, 2024, 2100].map {
      CivilDate(year: $0, month: 2, day: 1).lengthOfMonth
    }
    #expect(lengths == [28, 29, 28, 29, 28])
  }
}
