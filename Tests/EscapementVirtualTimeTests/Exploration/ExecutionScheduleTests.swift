import Testing

@testable import EscapementVirtualTime

@Suite struct ExecutionScheduleTests {
  @Test(arguments: ["", "0", "7", "7x3", "7+2", "7.12x1", "0+1.1x1.2", "1000000000"])
  func `a text is parsed and printed`(text: String) throws {
    #expect(try ExecutionSchedule(parsing: text).description == text)
  }

  @Test func `every schedule of three decision points is parsed from its text`() throws {
    let kinds: [ExecutionSchedule.Overtaking.Kind?] = [
      nil, .firstWaits, .firstWaitsFor(1), .firstWaitsFor(12), .runs(1), .runs(30),
    ]
    for first in kinds {
      for second in kinds {
        for third in kinds {
          let schedule = ExecutionSchedule(
            [first, second, third].enumerated().compactMap { decision, kind in
              kind.map { ExecutionSchedule.Overtaking(decision: decision, kind: $0) }
            })
          #expect(try ExecutionSchedule(parsing: schedule.description) == schedule)
        }
      }
    }
  }

  @Test(arguments: [
    ("x", 0, ScheduleSyntaxError.Problem.numberExpected), (".", 0, .numberExpected),
    ("7.", 2, .numberExpected), ("7x", 2, .numberExpected), ("7+", 2, .numberExpected),
    ("7x0", 2, .zero), ("7+0", 2, .zero), ("7 ", 1, .unexpectedCharacter),
    ("7x1x2", 3, .unexpectedCharacter), ("7.7", 2, .notInOrder), ("7.6", 2, .notInOrder),
    ("1000000001", 0, .numberTooLarge), ("99999999999999999999", 0, .numberTooLarge),
    ("7.٣", 2, .numberExpected),
  ])
  func `a text that is no schedule is refused with the place`(
    text: String, offset: Int, problem: ScheduleSyntaxError.Problem
  ) throws {
    let error = try #require(throws: ScheduleSyntaxError.self) {
      try ExecutionSchedule(parsing: text)
    }
    #expect(error.offset == offset)
    #expect(error.problem == problem)
    #expect(error.description.contains("at character \(offset + 1)"))
  }

  @Test func `overtakings are in order, one for each decision point`() {
    let schedule = ExecutionSchedule([
      .init(decision: 5, kind: .firstWaits), .init(decision: 2, kind: .runs(0)),
      .init(decision: 5, kind: .runs(3)), .init(decision: -1, kind: .firstWaitsFor(-4)),
    ])
    #expect(schedule.description == "0x1.2+1.5")
  }
}

@Suite struct FailingScheduleTests {
  @Test func `a line is read as it was written`() throws {
    let schedule = try ExecutionSchedule(parsing: "7.12x1")
    let failing = FailingSchedule(test: "Shop.CartTests/`adds two`()", schedule: schedule)
    #expect(failing.line == "Shop.CartTests/`adds two`()\t7.12x1\n")
    #expect(try FailingSchedule(line: failing.line.dropLast()) == failing)
  }

  @Test func `a name with a tab or a line break stays one field`() throws {
    let failing = FailingSchedule(test: "a\tb\nc", schedule: .plain)
    #expect(failing.line == "a b c\t\n")
    #expect(try FailingSchedule(line: failing.line.dropLast()) == failing)
  }

  @Test(arguments: ["", "# from the night build"])
  func `empty lines and comments say nothing`(line: String) throws {
    #expect(try FailingSchedule(line: line) == nil)
  }

  @Test(arguments: ["no tab", "test\t7x", "a\tb\t7"])
  func `a line with another form is refused`(line: String) {
    #expect(throws: ScheduleSyntaxError.self) { try FailingSchedule(line: line) }
  }
}
