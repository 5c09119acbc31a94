public import Foundation

/// A minute of the week, in the local time of a town.
public struct LocalTime: Hashable, Sendable {
  static let minutesPerDay = 24 * 60
  static let minutesPerWeek = 7 * minutesPerDay

  /// The minutes since Monday 00:00, from 0 to 10,079.
  let minuteOfWeek: Int

  /// The day of the week.
  public var weekday: Weekday { Weekday.allCases[minuteOfWeek / Self.minutesPerDay] }

  /// The hour of the day, from 0 to 23.
  public var hour: Int { minuteOfWeek % Self.minutesPerDay / 60 }

  /// Creates a time, or returns `nil` if the hour is not in 0...23 or the minute is not in 0...59.
  public init?(_ weekday: Weekday, hour: Int, minute: Int) {
    guard (0..<24).contains(hour), (0..<60).contains(minute) else { return nil }
    minuteOfWeek = weekday.rawValue * Self.minutesPerDay + hour * 60 + minute
  }

  /// The local time at `date`, without the seconds.
  public init(_ date: Date, calendar: Calendar = SanJose.calendar) {
    let parts = calendar.dateComponents([.weekday, .hour, .minute], from: date)
    // In Foundation, Sunday is day 1.
    let daysSinceMonday = ((parts.weekday ?? 1) + 5) % 7
    minuteOfWeek =
      daysSinceMonday * Self.minutesPerDay + (parts.hour ?? 0) * 60 + (parts.minute ?? 0)
  }
}
