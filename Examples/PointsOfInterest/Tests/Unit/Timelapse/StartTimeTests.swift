import ArgumentParser
import Foundation
import Testing

@testable import poi

@Suite struct StartTimeTests {
  @Test func `a time is in the local time of San Jose`() throws {
    let summer = try StartTime("2026-06-01T06:00")
    #expect(summer.date == Date(timeIntervalSince1970: 1_780_318_800))
    #expect("\(summer)" == "2026-06-01T06:00")
    #expect(try StartTime("1970-01-01T00:00").date == Date(timeIntervalSince1970: 8 * 3600))
  }

  @Test func `the text of the default matches its date`() throws {
    #expect(try StartTime("\(StartTime.default)").date == StartTime.default.date)
  }

  @Test(arguments: [
    ("yesterday", "A time is written as in 2026-06-05T18:30."),
    ("2026-06-05", "A time is written as in 2026-06-05T18:30."),
    ("2026-06-05T18:30:00", "A time is written as in 2026-06-05T18:30."),
    ("2026-06-05 18:30", "A time is written as in 2026-06-05T18:30."),
    ("٢٠٢٦-06-05T18:30", "A time is written as in 2026-06-05T18:30."),
    ("1969-12-31T23:59", "The year must be from 1970 to 2199."),
    ("2200-01-01T00:00", "The year must be from 1970 to 2199."),
    ("2026-02-29T12:00", "There is no such time in San Jose."),
    ("2026-13-01T12:00", "There is no such time in San Jose."),
    ("2026-06-05T24:00", "There is no such time in San Jose."),
    ("2026-06-05T12:60", "There is no such time in San Jose."),
    ("2026-03-08T02:30", "There is no such time in San Jose."),
  ])
  func `other texts are refused`(text: String, message: String) {
    let error = #expect(throws: ValidationError.self) { try StartTime(text) }
    #expect(error?.message == message)
  }
}
