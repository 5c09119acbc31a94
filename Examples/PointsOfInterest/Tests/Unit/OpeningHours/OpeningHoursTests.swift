import Testing

@testable import PointsOfInterest

@Suite struct OpeningHoursTests {
  @Test func `a place opens at the minute of opening and closes at the minute of closing`() throws {
    let hours = try OpeningHours("Mo-Fr 08:00-17:00")
    for day in Weekday.allCases.prefix(5) {
      #expect(try !hours.isOpen(at: time(day, 7, 59)))
      #expect(try hours.isOpen(at: time(day, 8, 0)))
      #expect(try hours.isOpen(at: time(day, 16, 59)))
      #expect(try !hours.isOpen(at: time(day, 17, 0)))
    }
  }

  @Test func `a day without a rule is closed`() throws {
    let hours = try OpeningHours("Mo-Fr 08:00-17:00")
    #expect(try !hours.isOpen(at: time(.saturday, 12, 0)))
    #expect(try !hours.isOpen(at: time(.sunday, 12, 0)))
  }

  @Test func `weekdays and weekends have their own hours`() throws {
    let hours = try OpeningHours("Mo-Fr 08:00-17:00; Sa,Su 10:00-16:00")
    #expect(try hours.isOpen(at: time(.friday, 9, 59)))
    #expect(try !hours.isOpen(at: time(.saturday, 9, 59)))
    #expect(try hours.isOpen(at: time(.saturday, 10, 0)))
    #expect(try hours.isOpen(at: time(.sunday, 15, 59)))
    #expect(try !hours.isOpen(at: time(.sunday, 16, 0)))
    #expect(try hours.isOpen(at: time(.monday, 16, 0)))
  }

  @Test func `a lunch break closes the place`() throws {
    let hours = try OpeningHours("Tu 11:30-14:00,17:00-21:30")
    #expect(try hours.isOpen(at: time(.tuesday, 13, 59)))
    #expect(try !hours.isOpen(at: time(.tuesday, 14, 0)))
    #expect(try !hours.isOpen(at: time(.tuesday, 16, 59)))
    #expect(try hours.isOpen(at: time(.tuesday, 17, 0)))
  }

  @Test func `a bar stays open past midnight, into a day on which it does not open`() throws {
    let hours = try OpeningHours("Fr 17:00-02:00")
    #expect(try hours.isOpen(at: time(.friday, 23, 59)))
    #expect(try hours.isOpen(at: time(.saturday, 0, 0)))
    #expect(try hours.isOpen(at: time(.saturday, 1, 59)))
    #expect(try !hours.isOpen(at: time(.saturday, 2, 0)))
    #expect(try !hours.isOpen(at: time(.friday, 1, 59)))
  }

  @Test func `Sunday night continues on Monday`() throws {
    let hours = try OpeningHours("Su 17:00-02:00")
    #expect(try hours.isOpen(at: time(.sunday, 23, 59)))
    #expect(try hours.isOpen(at: time(.monday, 0, 0)))
    #expect(try hours.isOpen(at: time(.monday, 1, 59)))
    #expect(try !hours.isOpen(at: time(.monday, 2, 0)))
  }

  @Test func `until midnight is not past midnight`() throws {
    let hours = try OpeningHours("Su 17:00-24:00")
    #expect(try hours.isOpen(at: time(.sunday, 23, 59)))
    #expect(try !hours.isOpen(at: time(.monday, 0, 0)))
    #expect(try OpeningHours("Su 17:00-00:00").isOpen(at: time(.sunday, 23, 59)))
    #expect(try !OpeningHours("Su 17:00-00:00").isOpen(at: time(.monday, 0, 0)))
  }

  @Test(arguments: ["24/7", "Mo-Su 00:00-24:00", "Th-We 00:00-24:00"])
  func `around the clock is every minute of the week`(text: String) throws {
    let hours = try OpeningHours(text)
    for day in Weekday.allCases {
      for minute in 0..<LocalTime.minutesPerDay {
        #expect(try hours.isOpen(at: time(day, minute / 60, minute % 60)))
      }
    }
  }

  private func time(_ day: Weekday, _ hour: Int, _ minute: Int) throws -> LocalTime {
    try #require(LocalTime(day, hour: hour, minute: minute))
  }
}
