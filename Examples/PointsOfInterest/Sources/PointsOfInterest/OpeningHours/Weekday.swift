/// A day of the week, which starts on Monday.
public enum Weekday: Int, CaseIterable, Sendable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// The abbreviation of the day in opening hours, such as `Mo`.
  public var abbreviation: String {
    switch self {
    case .monday: "Mo"
    case .tuesday: "Tu"
    case .wednesday: "We"
    case .thursday: "Th"
    case .friday: "Fr"
    case .saturday: "Sa"
    case .sunday: "Su"
    }
  }
}
