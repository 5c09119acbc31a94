public import Foundation

/// The town that the app is about.
public enum SanJose {
  /// The convention center, where the user stands.
  public static let conventionCenter = Coordinate(latitude: 37.3298, longitude: -121.8880)!

  /// The local time of the town.
  ///
  /// A system without a time zone database gets Pacific standard time, an hour off in summer.
  public static let timeZone =
    TimeZone(identifier: "America/Los_Angeles") ?? TimeZone(secondsFromGMT: -8 * 3600) ?? .gmt

  /// The Gregorian calendar in the local time of the town.
  public static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    return calendar
  }()
}
