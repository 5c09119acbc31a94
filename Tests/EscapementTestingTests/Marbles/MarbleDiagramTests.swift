import EscapementTesting
import Testing

struct MarbleDiagramTests {
  private func events(_ text: String, unit: Duration = .milliseconds(1)) throws -> [String] {
    try MarbleDiagram(text, unit: unit).events.map {
      "\($0.event) at \($0.offset / Duration.microseconds(1)) in \($0.column)"
    }
  }

  @Test func `each symbol takes one unit`() throws {
    #expect(
      try events("a-b|") == [
        #"value("a") at 0.0 in 1"#, #"value("b") at 2000.0 in 3"#, "end at 3000.0 in 4",
      ])
    #expect(try MarbleDiagram("a-b|").duration == .milliseconds(4))
  }

  @Test func `a group takes one unit`() throws {
    #expect(
      try events("(ab)c#") == [
        #"value("a") at 0.0 in 2"#, #"value("b") at 0.0 in 3"#, #"value("c") at 1000.0 in 5"#,
        "failure at 2000.0 in 6",
      ])
  }

  @Test func `blanks take no time`() throws {
    #expect(
      try events(" a -\n\t( b  c ) ") == [
        #"value("a") at 0.0 in 2"#, #"value("b") at 2000.0 in 9"#, #"value("c") at 2000.0 in 12"#,
      ])
  }

  @Test func `a duration stands between blanks, and the value before it takes its unit`() throws {
    #expect(
      try events("a 9ms b") == [#"value("a") at 0.0 in 1"#, #"value("b") at 10000.0 in 7"#])
    #expect(try events("9ms b") == [#"value("b") at 9000.0 in 5"#])
    #expect(try events("a 9ms", unit: .seconds(1)).count == 1)
    #expect(try MarbleDiagram("a 9ms", unit: .seconds(1)).duration == .milliseconds(1_009))
  }

  @Test(arguments: [
    ("7ns", Duration.nanoseconds(7)), ("7us", .microseconds(7)), ("7µs", .microseconds(7)),
    ("7ms", .milliseconds(7)), ("7s", .seconds(7)), ("7m", .seconds(420)), ("7h", .seconds(25_200)),
    ("7d", .seconds(604_800)), ("1.5s", .milliseconds(1_500)), ("0.000001ms", .nanoseconds(1)),
    ("0ms", .zero), ("106751d", .seconds(106_751 * 86_400)),
  ])
  func `units of time`(text: String, duration: Duration) throws {
    #expect(try MarbleDiagram(text).duration == duration)
    #expect(try MarbleDiagram("-(a \(text) b)").events.last?.offset == .milliseconds(1) + duration)
  }

  @Test func `in a group only durations take time`() throws {
    #expect(
      try events("-(a 2us b)c") == [
        #"value("a") at 1000.0 in 3"#, #"value("b") at 1002.0 in 9"#,
        #"value("c") at 2002.0 in 11"#,
      ])
  }

  @Test func `digits and letters are values where they are no duration`() throws {
    #expect(try MarbleDiagram("1").events.map(\.event) == [.value("1")])
    #expect(try MarbleDiagram("12-34|").events.count == 5)
    #expect(try MarbleDiagram("1 s--|").events.map(\.event) == [.value("1"), .value("s"), .end])
    #expect(try MarbleDiagram("9msx").events.count == 4)
    #expect(try MarbleDiagram("1a2b").events.count == 4)
    #expect(try MarbleDiagram("1.5").events.count == 3)
  }

  @Test func `any other character is a value`() throws {
    let text = "aZ9.,:*+/<é👍🇪🇺"
    #expect(try MarbleDiagram(text).events.map(\.event) == text.map { .value($0) })
  }

  @Test(arguments: [
    ("", 1, "The diagram is empty."), ("  ", 1, "The diagram is empty."),
    ("a-)", 3, "closes no group"), ("a(b", 2, "is not closed"), ("a(b(c))", 4, "in a group"),
    ("()", 1, "The group is empty"), ("( 1ms )", 1, "The group is empty"),
    ("(a-b)", 3, "A dash cannot be in a group"), ("a|-", 3, "Only blanks"),
    ("a#b", 3, "Only blanks"),
    ("(|a)", 3, "Only blanks"), ("| 1ms ", 3, "Only blanks"), ("(# 1ms a)", 4, "Only blanks"),
    ("(|)-", 4, "Only blanks"), ("|(a)", 3, "Only blanks"),
    ("-9ms-", 2, "' 9ms '"), ("a9ms b", 2, "'9 ms'"), ("1s--|", 1, "'1 s'"),
    ("- 9ms|", 3, "' 9ms '"),
    ("1.5s|", 1, "'1.5 s'"), (" 0.5ns ", 2, "finer than a nanosecond"),
    (" 106752d ", 2, "292 years"), (" 99999999999999999999s ", 2, "292 years"),
    ("a 106751d 106751d ", 11, "292 years"),
    ("a!\u{301}", 2, "looks like one"), ("-\u{200D}", 1, "looks like one"),
    ("- \u{301}", 2, "looks like one"), ("\u{301}", 1, "looks like one"),
  ])
  func `a diagram that is not valid is refused with its column`(
    text: String, column: Int, reason: String
  ) {
    let error = #expect(throws: MarbleSyntaxError.self) { try MarbleDiagram(text) }
    #expect(error?.text == text)
    #expect(error?.column == column)
    #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
  }

  @Test(arguments: [Duration.zero, .milliseconds(-1), .nanoseconds(1) / 2, .seconds(Int64.max)])
  func `a unit that is not positive or not whole is refused`(unit: Duration) {
    let error = #expect(throws: MarbleSyntaxError.self) { try MarbleDiagram("--", unit: unit) }
    #expect(error?.column == 1)
    #expect(error?.reason.contains("\(unit)") == true)
  }

  @Test func `the error shows the text and marks the column`() {
    let error = #expect(throws: MarbleSyntaxError.self) { try MarbleDiagram("a-b)") }
    #expect(
      error?.description == """
        The marble diagram is not valid at column 4:
          a-b)
             ^ This parenthesis closes no group.
        """)
  }

  @Test func `the error shows the part of a long text`() {
    let text = String(repeating: "-", count: 1_000) + ")" + String(repeating: "-", count: 1_000)
    let error = #expect(throws: MarbleSyntaxError.self) { try MarbleDiagram(text) }
    let dashes = String(repeating: "-", count: 40)
    #expect(
      error?.description == """
        The marble diagram is not valid at column 1001:
          …\(dashes))\(dashes.dropLast())…
          \(String(repeating: " ", count: 41))^ This parenthesis closes no group.
        """)
  }
}
