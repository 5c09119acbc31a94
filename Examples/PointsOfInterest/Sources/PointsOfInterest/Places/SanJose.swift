public import Foundation

/// The town of the app.
public enum SanJose {
  /// The convention center, which is the location of the user.
  public static let conventionCenter = Coordinate(latitude: 37.3298, longitude: -121.8880)!

  /// The local time of the town.
  ///
  /// A system without a time zone database gets Pacific standard time, which is an hour late in
  /// summer.
  public static let timeZone =
    TimeZone(identifier: "America/Los_Angeles") ?? TimeZone(secondsFromGMT: -8 * 3600) ?? .gmt

  /// The Gregorian calendar in the local time of the town.
  public static let calendar: Calendar = {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = timeZone
    return calendar
  }()
}
