extension OpeningHours {
  /// Parses opening hours in the notation of OpenStreetMap.
  ///
  /// It supports a part of that notation: `24/7`, or rules that are separated by semicolons. A rule
  /// has days and spans of time, as in `Mo-Th 11:00-22:00; Fr,Sa 11:00-14:00,17:00-02:00`. A span
  /// whose end is not after its start ends on the next day. A day has at most one rule. On a day
  /// without a rule, the place is closed.
  public init(_ text: String) throws(OpeningHoursError) {
    guard text != "24/7" else {
      self = .always
      return
    }
    var rules: [Rule] = []
    var daysSeen: Set<Weekday> = []
    for part in text.split(separator: ";", omittingEmptySubsequences: false) {
      let rule = try Self.rule(part, in: text)
      for day in rule.days where !daysSeen.insert(day).inserted {
        throw OpeningHoursError(text, part: part, expected: "the only rule for \(day.abbreviation)")
      }
      rules.append(rule)
    }
    self.init(rules, text: text)
  }

  private static func rule(_ part: Substring, in text: String) throws(OpeningHoursError) -> Rule {
    let halves = part.split(separator: " ")
    guard halves.count == 2 else {
      let expected = "days and times such as Mo-Fr 08:00-17:00"
      throw OpeningHoursError(text, part: part, expected: expected)
    }
    var rule = Rule(days: [], spans: [])
    for part in halves[0].split(separator: ",", omittingEmptySubsequences: false) {
      guard let days = days(part) else {
        throw OpeningHoursError(text, part: part, expected: "a day or days such as Mo or Mo-Fr")
      }
      rule.days += days
    }
    for part in halves[1].split(separator: ",", omittingEmptySubsequences: false) {
      guard let span = span(part) else {
        throw OpeningHoursError(text, part: part, expected: "a span of time such as 08:00-17:00")
      }
      rule.spans.append(span)
    }
    return rule
  }

  private static func days(_ text: Substring) -> [Weekday]? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { name in
      Weekday.allCases.first { $0.abbreviation == name }
    }
    guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else {
      return nil
    }
    let count = (last.rawValue - first.rawValue + 7) % 7 + 1
    return (0..<count).compactMap { Weekday(rawValue: (first.rawValue + $0) % 7) }
  }

  private static func span(_ text: Substring) -> Range<Int>? {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(minute)
    guard ends.count == 2, let start = ends[0], let end = ends[1],
      start < LocalTime.minutesPerDay, start != end
    else { return nil }
    return start < end ? start..<end : start..<(end + LocalTime.minutesPerDay)
  }

  /// The minute of the day, from `00:00` to `24:00`.
  private static func minute(_ text: Substring) -> Int? {
    guard let match = text.wholeMatch(of: /([0-9]{2}):([0-9]{2})/),
      let hour = Int(match.1), let minute = Int(match.2), minute < 60
    else { return nil }
    let sum = hour * 60 + minute
    return sum <= LocalTime.minutesPerDay ? sum : nil
  }
}

// MARK: - Codable

extension OpeningHours: Codable {
  /// Decodes opening hours from one string.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    do {
      try self.init(container.decode(String.self))
    } catch let error as OpeningHoursError {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: error.description)
    }
  }

  /// Encodes opening hours as one string.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(text)
  }
}
