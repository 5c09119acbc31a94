/// When a place is open during a week.
public struct OpeningHours: Hashable, Sendable {
  /// Open all day on all days.
  public static let always = OpeningHours(intervals: [0..<LocalTime.minutesPerWeek])

  /// The minutes of the week at which the place is open; none passes the end of the week.
  private let intervals: [Range<Int>]

  private init(intervals: [Range<Int>]) {
    self.intervals = intervals
  }

  /// On each of `days` open for each of `spans`, in minutes since the midnight of that day.
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

  /// Whether the place is open: at the minute it opens it is, at the minute it closes it is not.
  public func isOpen(at time: LocalTime) -> Bool {
    intervals.contains { $0.contains(time.minuteOfWeek) }
  }

  /// What passes the midnight of Sunday is cut there and goes on at the beginning of the week.
  private static func intervals(on day: Weekday, of span: Range<Int>) -> [Range<Int>] {
    let midnight = day.rawValue * LocalTime.minutesPerDay
    let (start, end) = (midnight + span.lowerBound, midnight + span.upperBound)
    let week = LocalTime.minutesPerWeek
    return end <= week ? [start..<end] : [start..<week, 0..<(end - week)]
  }
}
