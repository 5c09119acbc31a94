/// The opening hours of a place during a week.
public struct OpeningHours: Hashable, Sendable {
  /// Open all day on all days.
  public static let always = OpeningHours(intervals: [0..<LocalTime.minutesPerWeek])

  /// The minutes of the week at which the place is open; no range passes the end of the week.
  private let intervals: [Range<Int>]

  private init(intervals: [Range<Int>]) {
    self.intervals = intervals
  }

  /// Creates hours that are open on `days` during `spans`, in minutes since midnight of the day.
  struct Rule {
    var days: [Weekday]
    var spans: [Range<Int>]
  }

  init(_ rules: [Rule]) {
    intervals = rules.flatMap { rule in
      rule.days.flatMap { day in
        rule.spans.flatMap { Self.intervals(on: day, of: $0) }
      }
    }
  }

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
