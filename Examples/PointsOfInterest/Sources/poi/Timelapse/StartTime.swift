import ArgumentParser
import Foundation
import PointsOfInterest

/// The start of a simulation, as a minute in the local time of San Jose.
struct StartTime: CustomStringConvertible {
  /// A Friday in June.
  static let `default` = StartTime(
    date: Date(timeIntervalSince1970: 1_780_642_800), text: "2026-06-05T00:00")

  let date: Date

  /// The text of the time.
  let description: String

  private init(date: Date, text: String) {
    self.date = date
    description = text
  }

  /// Parses a time such as `2026-06-05T00:00`.
  init(_ text: String) throws {
    let form = /([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2})/
    guard let match = text.wholeMatch(of: form) else {
      throw ValidationError("A time is written as in 2026-06-05T18:30.")
    }
    let parts = DateComponents(
      year: Int(match.1), month: Int(match.2), day: Int(match.3),
      hour: Int(match.4), minute: Int(match.5))
    guard (1970...2199).contains(parts.year ?? 0) else {
      throw ValidationError("The year must be from 1970 to 2199.")
    }
    // The calendar moves a date that does not exist, such as February 30, to a later one.
    let calendar = SanJose.calendar
    guard let date = calendar.date(from: parts),
      calendar.dateComponents([.year, .month, .day, .hour, .minute], from: date) == parts
    else {
      throw ValidationError("There is no such time in San Jose.")
    }
    self.init(date: date, text: text)
  }
}
