import Testing

@testable import Escapement

@Suite struct CronParserTests {
  private func numbers(_ bits: CronExpression.Numbers) -> [Int] {
    (0..<64).filter { bits & (1 << $0) != 0 }
  }

  @Test(arguments: [
    ("*", Array(0...59)), ("5", [5]), ("1,3,5", [1, 3, 5]), ("10-13", [10, 11, 12, 13]),
    ("*/15", [0, 15, 30, 45]), ("10-40/10", [10, 20, 30, 40]), ("50/4", [50, 54, 58]),
    ("0-5/2,59", [0, 2, 4, 59]), ("7,7-8", [7, 8]), ("59/99999", [59]), ("05", [5]),
  ])
  func `a list of values, ranges and steps names their numbers`(text: String, expected: [Int])
    throws
  {
    #expect(numbers(try CronParser.parse("\(text) * * * *").minutes) == expected)
  }

  @Test func `names stand for numbers in months and days of the week`() throws {
    let line = try CronParser.parse("0 0 * jan-mar,DEC mon-Fri")
    #expect(numbers(line.months) == [1, 2, 3, 12])
    #expect(numbers(line.days.weekdays) == [1, 2, 3, 4, 5])
  }

  @Test(arguments: ["0", "7", "sun", "0,7"]) func `0 and 7 are Sunday`(text: String) throws {
    #expect(numbers(try CronParser.parse("0 0 * * \(text)").days.weekdays) == [0])
  }

  @Test func `a range may end on Sunday as 7`() throws {
    #expect(numbers(try CronParser.parse("0 0 * * 5-7").days.weekdays) == [0, 5, 6])
  }

  @Test(arguments: [
    ("* * 1 * 1", true), ("* * * * 1", false), ("* * 1 * *", false), ("* * */2 * 1", false),
    ("* * 1 * */2", false), ("* * ? * 1", false), ("* * L * fri#2", true),
  ])
  func `either day matches only if neither field contains a star`(line: String, either: Bool)
    throws
  {
    #expect(try CronParser.parse(line).days.matchesEither == either)
  }

  @Test(arguments: [
    ("@hourly", "0 * * * *"), ("@daily", "0 0 * * *"), ("@midnight", "0 0 * * *"),
    ("@weekly", "0 0 * * 0"), ("@monthly", "0 0 1 * *"), ("@yearly", "0 0 1 1 *"),
    ("@Annually", "0 0 1 1 *"), ("\t0  0\t* * * ", "0 0 * * *"),
    ("0 0 * * *\n", "0 0 * * *"), ("0 0 * * *\r\n", "0 0 * * *"),
  ])
  func `two ways to write a line mean the same`(line: String, other: String) throws {
    #expect(try CronParser.parse(line) == CronParser.parse(other))
  }

  @Test(arguments: [
    ("60 * * * *", 1, "'60' is not a minute; use 0...59."),
    ("0 24 * * *", 3, "'24' is not an hour; use 0...23."),
    ("0 0 0 * *", 5, "'0' is not a day of the month; use 1...31, 15W, L or LW."),
    ("0 0 1 13 *", 7, "'13' is not a month; use 1...12, or jan...dec."),
    (
      "0 0 * * 8", 9,
      "'8' is not a day of the week; use 0...7, or sun...sat; friL is the last Friday."
    ),
    (
      "0 0 * * xyz", 9,
      "'xyz' is not a day of the week; use 0...7, or sun...sat; friL is the last Friday."
    ),
    ("0 1,2,99 * * *", 7, "'99' is not an hour; use 0...23."),
    ("0 1-99 * * *", 5, "'99' is not an hour; use 0...23."),
    ("0 5-3 * * *", 3, "The range '5-3' is empty, because it ends before it begins."),
    ("0 5- * * *", 5, "A value of the hour is missing; use 0...23."),
    ("0 1,,2 * * *", 5, "A value of the hour is missing."),
    ("0 1, * * *", 5, "A value of the hour is missing."),
    ("*/0 * * * *", 3, "'0' is not a step; use a positive number."),
    ("*/ * * * *", 3, "'' is not a step; use a positive number."),
    ("*/2/3 * * * *", 3, "'2/3' is not a step; use a positive number."),
    ("1-2-3 * * * *", 3, "'2-3' is not a minute; use 0...59."),
    ("-5 * * * *", 1, "A value of the minute is missing; use 0...59."),
    ("+5 * * * *", 1, "'+5' is not a minute; use 0...59."),
    ("٣ * * * *", 1, "'٣' is not a minute; use 0...59."),
    ("99999999999999999999 * * * *", 1, "'99999999999999999999' is not a minute; use 0...59."),
    ("? * * * *", 1, "'?' is not a minute; use 0...59."),
    ("0 0 W * *", 5, "'W' is not a day of the month; use 1...31, 15W, L or LW."),
    ("0 0 1-5W * *", 5, "'1-5' is not a day of the month; use 1...31, 15W, L or LW."),
    ("0 0 L-3 * *", 5, "'L' is not a day of the month; use 1...31, 15W, L or LW."),
    ("0 0 * * 1#6", 11, "'6' is not the number of a week in a month; use 1...5."),
    (
      "0 0 * * L", 9,
      "'L' is not a day of the week; use 0...7, or sun...sat; friL is the last Friday."
    ),
    (
      "0 0 * * mon-sun", 9,
      """
      The range 'mon-sun' is empty, because it ends before it begins. At the end of a range, Sunday \
      is 7.
      """
    ),
    ("0 0 30 2 *", 5, "No year has such a day."),
    ("0 0 */31 * 1#2", 5, "No year has such a day."),
  ])
  func `a malformed line names the column`(line: String, column: Int, reason: String) {
    let error = #expect(throws: CronSyntaxError.self) { try CronParser.parse(line) }
    #expect(error == CronSyntaxError(line: line, column: column, reason: reason))
  }

  @Test(arguments: [
    ("", 1, "this one has 0"), ("* * * *", 8, "this one has 4"),
    ("0 * * * * *", 11, "this one has 6"), ("@reboot", 1, "The names are"),
    ("@every 5m", 1, "use .every"), ("@daily 5", 8, "Nothing may follow"),
  ])
  func `a line with another form names the column`(line: String, column: Int, part: String) {
    let error = #expect(throws: CronSyntaxError.self) { try CronParser.parse(line) }
    #expect(error?.column == column)
    #expect(error?.reason.contains(part) == true)
  }

  @Test func `the description marks the column`() {
    let error = #expect(throws: CronSyntaxError.self) { try CronParser.parse("0 25 * * *") }
    #expect(
      error?.description == """
        The schedule is not valid at column 3:
          0 25 * * *
            ^ '25' is not an hour; use 0...23.
        """)
  }

  @Test(arguments: [
    ("24:00", 1), ("12:60", 4), ("12", 1), (":30", 1), ("12:", 4), ("12:5", 4), ("12:005", 4),
    ("1:2:3", 3), ("-1:00", 1),
  ])
  func `a malformed time of day names the column`(text: String, column: Int) {
    let error = #expect(throws: CronSyntaxError.self) { try CronParser.parse(timeOfDay: text) }
    #expect(error?.column == column)
  }

  @Test func `no text of up to 3 characters ends the process`() {
    let alphabet = Array("09*-/,#L?@ :aé")
    var texts = [""]
    for _ in 0..<3 {
      texts = texts.flatMap { text in [text] + alphabet.map { text + String($0) } }
    }
    for text in Set(texts) {
      _ = try? CronParser.parse("\(text) * * * *")
      _ = try? CronParser.parse("0 0 \(text) * *")
      _ = try? CronParser.parse("0 0 * * \(text)")
      _ = try? CronParser.parse(text)
      _ = try? CronParser.parse(timeOfDay: text)
    }
  }
}
