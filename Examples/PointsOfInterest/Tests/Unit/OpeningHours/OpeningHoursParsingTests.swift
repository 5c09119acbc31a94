import Testing

@testable import PointsOfInterest

@Suite struct OpeningHoursParsingTests {
  @Test func `days may pass the end of the week`() throws {
    #expect(
      try OpeningHours("Sa-Mo 10:00-12:00") == OpeningHours("Sa,Su,Mo 10:00-12:00"))
  }

  @Test(arguments: [
    ("", "", "days and times such as Mo-Fr 08:00-17:00"),
    ("Mo-Fr", "Mo-Fr", "days and times such as Mo-Fr 08:00-17:00"),
    ("Mo-Fr 08:00-17:00;", "", "days and times such as Mo-Fr 08:00-17:00"),
    ("Mo-Fr 08:00 - 17:00", "Mo-Fr 08:00 - 17:00", "days and times such as Mo-Fr 08:00-17:00"),
    ("Mon 08:00-17:00", "Mon", "a day or days such as Mo or Mo-Fr"),
    ("Mo-We-Fr 08:00-17:00", "Mo-We-Fr", "a day or days such as Mo or Mo-Fr"),
    ("Mo, 08:00-17:00", "", "a day or days such as Mo or Mo-Fr"),
    ("Mo 8-17", "8-17", "a span of time such as 08:00-17:00"),
    ("Mo 08:00", "08:00", "a span of time such as 08:00-17:00"),
    ("Mo 08:60-17:00", "08:60-17:00", "a span of time such as 08:00-17:00"),
    ("Mo 08:00-24:01", "08:00-24:01", "a span of time such as 08:00-17:00"),
    ("Mo 24:00-02:00", "24:00-02:00", "a span of time such as 08:00-17:00"),
    ("Mo 08:00-08:00", "08:00-08:00", "a span of time such as 08:00-17:00"),
    ("Mo-Fr 08:00-17:00; We 09:00-12:00", " We 09:00-12:00", "the only rule for We"),
    ("Mo,Mo 08:00-17:00", "Mo,Mo 08:00-17:00", "the only rule for Mo"),
  ])
  func `the error names the part that cannot be read`(text: String, part: String, expected: String)
  {
    let error = #expect(throws: OpeningHoursError.self) { try OpeningHours(text) }
    #expect(error?.text == text)
    #expect(error?.part == part)
    #expect(error?.expected == expected)
  }

  @Test func `the message names the text, the part, and what is valid`() {
    let error = #expect(throws: OpeningHoursError.self) { try OpeningHours("Mo 8-17") }
    #expect(
      error?.description == """
        cannot read the opening hours "Mo 8-17": "8-17" is not a span of time such as 08:00-17:00
        """)
  }
}
