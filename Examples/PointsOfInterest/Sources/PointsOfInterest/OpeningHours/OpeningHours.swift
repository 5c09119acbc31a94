/// The opening hours of a place during a week.
public struct OpeningHours: Hashable, Sendable {
  /// Open all day on all days.
  public static let always = OpeningHours(
    text: "24/7", intervals: [0..<LocalTime.minutesPerWeek])

  /// The hours in the notation of OpenStreetMap.
  public let text: String

  /// The minutes of the week at which the place is open; no range passes the end of the week.
  private let intervals: [Range<Int>]

  private init(text: String, intervals: [Range<Int>]) {
    self.text = text
    self.intervals = intervals
  }

  /// Creates hours that are open on `days` during `spans`, in minutes since midnight of the day.
  struct Rule {
    var days: [Weekday]
    var spans: [Range<Int>]
  }

  init(_ rules: [Rule], text: String) {
    self.text = text
    intervals = rules.flatMap { rule in
      rule.days.flatMap { day in
        rule.spans.flatMap { Self.intervals(on: day, of: $0) }
      }
    }
  }

  /// Whether both are open at the same minutes, in whatever notation.
  public static func == (hours: Self, other: Self) -> Bool { hours.intervals == other.intervals }

  /// Hashes the minutes.
  public func hash(into hasher: inout Hasher) { hasher.combine(intervals) }

  /// Whether the place is open; it is open at the minute of opening, and not at that of closing.
  public func isOpen(at time: LocalTime) -> Bool {
    intervals.contains { $0.contains(time.minuteOfWeek) }
  }

  /// Splits a range that passes the midnight of Sunday; the rest starts the week.
  private static func intervals(on day: Weekday, of span: Range<Int>) -> [Range<Int>] {
    let midnight = day.rawValue * LocalTime.minutesPerDay
    let (start, end) = (midnight + span.lowerBound, midnight + span.upperBound)
    let week = LocalTime.minutesPerWeek
    return end <= week ? [start..<end] : [start..<week, 0..<(end - week)]
  }
}
