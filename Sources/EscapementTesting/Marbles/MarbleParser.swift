import _EscapementCore

/// Reads a diagram from left to right.
struct MarbleParser {
  private(set) var events: [MarbleDiagram.TimedEvent] = []
  private(set) var spans: [MarbleDiagram.Span] = []
  /// The time of what has been read.
  private(set) var instant: Int64 = 0

  private let text: String
  private let characters: [Character]
  private let unit: Int64
  private var index = 0
  private var hasEnded = false

  init(_ text: String, unit: Duration) throws(MarbleSyntaxError) {
    self.text = text
    characters = Array(text)
    self.unit = unit.wholeNanoseconds
    guard unit > .zero, unit == .nanoseconds(self.unit) else {
      throw MarbleSyntaxError(
        text, column: 1, "The unit must be a positive number of whole nanoseconds (got \(unit)).")
    }
  }

  mutating func parse() throws(MarbleSyntaxError) {
    while index < characters.count {
      let (column, start) = (index + 1, instant)
      switch characters[index] {
      case let blank where blank.isBlank:
        index += 1
        continue
      case "-":
        index += 1
        guard !hasEnded else { throw afterEnd(column) }
        try pass(unit, column)
      case "(":
        index += 1
        try parseGroup(column)
        try pass(unit, column)
      case ")":
        throw error(column, "This parenthesis closes no group.")
      default:
        if try !passDuration() {
          try parseEvent()
          try pass(unit, column)
        }
      }
      spans.append(MarbleDiagram.Span(column: column, start: start, end: instant))
    }
    guard !spans.isEmpty else {
      throw error(1, "The diagram is empty. A dash is a sequence in which nothing happens.")
    }
  }

  /// Reads a group, without the unit that it takes.
  private mutating func parseGroup(_ opening: Int) throws(MarbleSyntaxError) {
    let count = events.count
    while index < characters.count {
      let column = index + 1
      switch characters[index] {
      case let blank where blank.isBlank:
        index += 1
      case ")":
        guard events.count > count else {
          throw error(opening, "The group is empty. Write what happens in this instant.")
        }
        index += 1
        return
      case "(":
        throw error(column, "A group cannot be in a group. Write all events in one.")
      case "-":
        throw error(
          column, "A dash cannot be in a group, in which only durations such as ' 1ms ' take time.")
      default:
        if try !passDuration() { try parseEvent() }
      }
    }
    throw error(opening, "The group is not closed. Write ')' behind its last event.")
  }

  private mutating func parseEvent() throws(MarbleSyntaxError) {
    let column = index + 1
    let character = characters[index]
    let event = MarbleDiagram.Event(character)
    guard !hasEnded else { throw afterEnd(column) }
    if case .value = event, !character.isMarbleValue {
      throw error(
        column,
        """
        This character is joined with an accent or another mark, and looks like one that has a \
        meaning of its own. Use a letter.
        """)
    }
    hasEnded = event.isLast
    events.append(
      MarbleDiagram.TimedEvent(event: event, column: column, nanoseconds: instant))
    index += 1
  }

  /// Reads a duration and lets it pass, if there is one; returns whether there is.
  private mutating func passDuration() throws(MarbleSyntaxError) -> Bool {
    let column = index + 1
    guard let duration = try parseDuration() else { return false }
    guard !hasEnded else { throw afterEnd(column) }
    try pass(duration, column)
    return true
  }

  /// Reads a duration, if there is one.
  private mutating func parseDuration() throws(MarbleSyntaxError) -> Int64? {
    guard isDigit(index), !isDigit(index - 1) else { return nil }
    var end = index
    while isDigit(end) { end += 1 }
    if end < characters.count, characters[end] == ".", isDigit(end + 1) {
      end += 1
      while isDigit(end) { end += 1 }
    }
    let number = characters[index..<end]
    // The longest unit has two letters; the third shows that it is none.
    let letters = characters[end...].prefix(3).prefix { $0.isLetter }
    guard let scale = MarbleDuration.nanoseconds(ofUnit: String(letters)) else { return nil }
    let (column, literal) = (index + 1, String(number + letters))
    end += letters.count
    guard isBoundary(index - 1), isBoundary(end) else {
      throw error(
        column,
        """
        A duration has blanks around it: ' \(literal) '. If these are values, put a blank between \
        digits and letters: '\(String(number)) \(String(letters))'.
        """)
    }
    guard let duration = MarbleDuration.nanoseconds(number, of: scale) else {
      throw error(
        column, "'\(literal)' is finer than a nanosecond, or longer than virtual time (292 years).")
    }
    index = end
    return duration
  }

  private func isDigit(_ index: Int) -> Bool {
    characters.indices.contains(index) && characters[index].isDigit
  }

  private func isBoundary(_ index: Int) -> Bool {
    guard characters.indices.contains(index) else { return true }
    return characters[index].isBlank || "()".contains(characters[index])
  }

  private mutating func pass(_ duration: Int64, _ column: Int) throws(MarbleSyntaxError) {
    let (sum, overflow) = instant.addingReportingOverflow(duration)
    guard !overflow, sum < .max else {
      throw error(column, "Up to here the diagram is longer than virtual time (292 years).")
    }
    instant = sum
  }

  private func afterEnd(_ column: Int) -> MarbleSyntaxError {
    error(column, "The sequence has ended with '|' or '#'. Only blanks may follow.")
  }

  private func error(_ column: Int, _ reason: String) -> MarbleSyntaxError {
    MarbleSyntaxError(text, column: column, reason)
  }
}
