/// Reads the fields of a cron line.
struct CronParser {
  private let line: String
  private let characters: [Character]

  static func parse(_ line: String) throws(CronSyntaxError) -> CronExpression {
    try CronParser(line: line).parse()
  }

  /// Reads a time of day, such as `03:30`.
  static func parse(timeOfDay text: String) throws(CronSyntaxError) -> CronExpression {
    let parser = CronParser(line: text)
    let colon = parser.characters.firstIndex(of: ":") ?? parser.characters.count
    guard colon < parser.characters.count else {
      throw parser.error(0, "A time of day is written as hour and minute, such as 03:30.")
    }
    let hour = try parser.number(0..<colon, .hour)
    let minuteText = colon + 1..<parser.characters.count
    let minute = try parser.number(minuteText, .minute)
    // '12:5' may be meant as 12:50.
    guard minuteText.count == 2 else {
      throw parser.error(minuteText.lowerBound, "The minute has two digits, such as 03:05.")
    }
    return CronExpression(
      minutes: 1 << minute, hours: 1 << hour, months: Field.month.all, days: .all)
  }

  private init(line: String) {
    self.line = line
    characters = Array(line)
  }

  private func error(_ index: Int, _ reason: String) -> CronSyntaxError {
    CronSyntaxError(line: line, column: index + 1, reason: reason)
  }
}

// MARK: - Fields

extension CronParser {
  private enum Field: Int, CaseIterable {
    case minute, hour, dayOfMonth, month, weekday

    var name: String {
      switch self {
      case .minute: "minute"
      case .hour: "hour"
      case .dayOfMonth: "day of the month"
      case .month: "month"
      case .weekday: "day of the week"
      }
    }

    var nameWithArticle: String { self == .hour ? "an hour" : "a \(name)" }

    var range: ClosedRange<Int> {
      switch self {
      case .minute: 0...59
      case .hour: 0...23
      case .dayOfMonth: 1...31
      case .month: 1...12
      case .weekday: 0...7
      }
    }

    /// The values that are allowed, for messages.
    var values: String {
      let numbers = "\(range.lowerBound)...\(range.upperBound)"
      return switch self {
      case .minute, .hour: numbers
      case .dayOfMonth: "\(numbers), 15W, L or LW"
      case .month: "\(numbers), or jan...dec"
      case .weekday: "\(numbers), or sun...sat; friL is the last Friday"
      }
    }

    /// The names of the numbers, of which the first one is the lower bound.
    var names: [String] {
      switch self {
      case .month:
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
      case .weekday: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
      default: []
      }
    }

    var isDay: Bool { self == .dayOfMonth || self == .weekday }

    var all: CronExpression.Numbers { range.reduce(0) { $0 | 1 << $1 } }
  }

  private static let nicknames = [
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *", "@yearly": "0 0 1 1 *",
    "@annually": "0 0 1 1 *",
  ]

  private func parse() throws(CronSyntaxError) -> CronExpression {
    let fields = fields()
    if let first = fields.first, characters[first.lowerBound] == "@" {
      return try nickname(first, followedBy: fields.dropFirst().first)
    }
    guard fields.count == 5 else {
      let index = fields.count > 5 ? fields[5].lowerBound : characters.count
      throw error(
        index,
        """
        A cron line has 5 fields (minute, hour, day of the month, month, day of the week); this one \
        has \(fields.count). There is no field for seconds or years.
        """)
    }
    var days = CronExpression.Days(daysOfMonth: 0, weekdays: 0)
    let expression = CronExpression(
      minutes: try numbers(fields[0], .minute, &days),
      hours: try numbers(fields[1], .hour, &days),
      months: try numbers(fields[3], .month, &days),
      days: try self.days(fields[2], fields[4]))
    // A cycle of the Gregorian calendar has 400 years, and is a whole number of weeks.
    guard expression.first(from: 0, through: 146_097 * 86_400) != nil else {
      throw error(fields[2].lowerBound, "No year has such a day.")
    }
    return expression
  }

  private func nickname(
    _ name: Range<Int>, followedBy next: Range<Int>?
  ) throws(CronSyntaxError) -> CronExpression {
    guard let line = Self.nicknames[String(characters[name]).lowercased()] else {
      throw error(
        name.lowerBound,
        """
        The names are @hourly, @daily, @midnight, @weekly, @monthly, @yearly and @annually. For an \
        interval, use .every; to run at the start, use runsAtStart.
        """)
    }
    if let next { throw error(next.lowerBound, "Nothing may follow a name.") }
    return try Self.parse(line)
  }

  private func fields() -> [Range<Int>] {
    var fields: [Range<Int>] = []
    var start: Int?
    for (index, character) in characters.enumerated() {
      // Also the end of a line that was read from a file.
      if character.isWhitespace {
        if let begun = start { fields.append(begun..<index) }
        start = nil
      } else if start == nil {
        start = index
      }
    }
    if let start { fields.append(start..<characters.count) }
    return fields
  }

  private func days(
    _ month: Range<Int>, _ week: Range<Int>
  ) throws(CronSyntaxError) -> CronExpression.Days {
    var days = CronExpression.Days(daysOfMonth: 0, weekdays: 0)
    days.daysOfMonth = try numbers(month, .dayOfMonth, &days)
    let weekdays = try numbers(week, .weekday, &days)
    // 0 and 7 are both Sunday.
    days.weekdays = (weekdays | weekdays >> 7) & 0x7f
    days.matchesEither = [month, week].allSatisfy { field in
      !characters[field].contains { $0 == "*" || $0 == "?" }
    }
    return days
  }
}

extension CronExpression.Days {
  fileprivate static var all: Self { Self(daysOfMonth: 0xffff_fffe, weekdays: 0x7f) }
}

// MARK: - Values

extension CronParser {
  /// Reads a list of values, ranges and steps.
  ///
  /// Adds to `days` what is not a number.
  private func numbers(
    _ range: Range<Int>, _ field: Field, _ days: inout CronExpression.Days
  ) throws(CronSyntaxError) -> CronExpression.Numbers {
    var numbers: CronExpression.Numbers = 0
    for item in split(range, at: ",") {
      guard !item.isEmpty else {
        throw error(item.lowerBound, "A value of the \(field.name) is missing.")
      }
      if try addSpecial(item, field, to: &days) { continue }
      numbers |= try self.item(item, field)
    }
    return numbers
  }

  private func split(_ range: Range<Int>, at separator: Character) -> [Range<Int>] {
    var parts: [Range<Int>] = []
    var start = range.lowerBound
    for index in range where characters[index] == separator {
      parts.append(start..<index)
      start = index + 1
    }
    return parts + [start..<range.upperBound]
  }

  private func item(
    _ item: Range<Int>, _ field: Field
  ) throws(CronSyntaxError) -> CronExpression.Numbers {
    let slash = item.first { characters[$0] == "/" }
    let base = item.lowerBound..<(slash ?? item.upperBound)
    let bounds = try bounds(base, field, hasStep: slash != nil)
    var step = 1
    if let slash {
      let text = slash + 1..<item.upperBound
      guard let number = integer(text), number >= 1 else {
        throw error(
          text.lowerBound, "'\(String(characters[text]))' is not a step; use a positive number.")
      }
      step = number
    }
    return stride(from: bounds.lowerBound, through: bounds.upperBound, by: step)
      .reduce(0) { $0 | 1 << $1 }
  }

  private func bounds(
    _ base: Range<Int>, _ field: Field, hasStep: Bool
  ) throws(CronSyntaxError) -> ClosedRange<Int> {
    if base.count == 1 {
      if characters[base.lowerBound] == "*" { return wholeRange(field) }
      if characters[base.lowerBound] == "?", field.isDay { return wholeRange(field) }
    }
    let ends = split(base, at: "-")
    let lower = try number(ends[0], field)
    guard ends.count > 1 else {
      return lower...(hasStep ? max(lower, wholeRange(field).upperBound) : lower)
    }
    let upper = try number(ends[1].lowerBound..<base.upperBound, field)
    guard lower <= upper else {
      let hint = field == .weekday && upper == 0 ? " At the end of a range, Sunday is 7." : ""
      throw error(
        base.lowerBound,
        """
        The range '\(String(characters[base]))' is empty, because it ends before it begins.\(hint)
        """)
    }
    return lower...upper
  }

  private func wholeRange(_ field: Field) -> ClosedRange<Int> {
    field == .weekday ? 0...6 : field.range
  }

  private func number(_ text: Range<Int>, _ field: Field) throws(CronSyntaxError) -> Int {
    let word = String(characters[text])
    if let index = field.names.firstIndex(of: word.lowercased()) {
      return index + field.range.lowerBound
    }
    guard let number = integer(text), field.range.contains(number) else {
      throw error(
        text.lowerBound,
        word.isEmpty
          ? "A value of the \(field.name) is missing; use \(field.values)."
          : "'\(word)' is not \(field.nameWithArticle); use \(field.values).")
    }
    return number
  }

  /// Digits of ASCII only, without a sign.
  private func integer(_ text: Range<Int>) -> Int? {
    guard characters[text].allSatisfy({ "0"..."9" ~= $0 && $0.isASCII }) else { return nil }
    return Int(String(characters[text]))
  }
}

// MARK: - Last days, nearest weekdays and occurrences

extension CronParser {
  /// Reads `L`, `15W`, `LW`, `5L` and `5#2`.
  ///
  /// Returns `false` if the item is something else.
  private func addSpecial(
    _ item: Range<Int>, _ field: Field, to days: inout CronExpression.Days
  ) throws(CronSyntaxError) -> Bool {
    let last = item.upperBound - 1
    let endsWithL = characters[last] == "L" || characters[last] == "l"
    switch field {
    case .dayOfMonth where endsWithL && item.count == 1:
      days.includesLastDay = true
    case .dayOfMonth where characters[last].lowercased() == "w" && item.count > 1:
      let day = item.lowerBound..<last
      let isLast = String(characters[day]).lowercased() == "l"
      let number = isLast ? 0 : try number(day, .dayOfMonth)
      days.daysWithNearWeekday |= 1 << number
    case .weekday
    where endsWithL && item.count > 1
      && !field.names.contains(String(characters[item]).lowercased()):
      let weekday = try number(item.lowerBound..<last, .weekday) % 7
      days.occurrences[weekday] |= 1
    case .weekday:
      guard let hash = item.first(where: { characters[$0] == "#" }) else { return false }
      let weekday = try number(item.lowerBound..<hash, .weekday) % 7
      let occurrence = hash + 1..<item.upperBound
      guard let number = integer(occurrence), 1...5 ~= number else {
        throw error(
          occurrence.lowerBound,
          """
          '\(String(characters[occurrence]))' is not the number of a week in a month; use 1...5.
          """)
      }
      days.occurrences[weekday] |= 1 << number
    default:
      return false
    }
    return true
  }
}
