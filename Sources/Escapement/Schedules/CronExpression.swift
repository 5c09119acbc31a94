/// The minutes of local time that a cron line names.
struct CronExpression: Hashable, Sendable {
  /// Small numbers, as the bits of an integer.
  typealias Numbers = UInt64

  var minutes: Numbers
  var hours: Numbers
  var months: Numbers
  var days: Days

  /// Which days of a month a cron line names.
  struct Days: Hashable, Sendable {
    var daysOfMonth: Numbers
    /// Whether the last day of the month counts, whatever its number.
    var includesLastDay = false
    /// The days of which the nearest weekday counts, from Monday to Friday; bit 0 is the last day.
    var daysWithNearWeekday: Numbers = 0
    /// 0 is Sunday.
    var weekdays: Numbers
    /// For each day of the week, the numbers of its occurrences in the month, 1...5; bit 0 is the
    /// last.
    var occurrences: [Numbers] = Array(repeating: 0, count: 7)
    /// Whether a day has to match only one of the two fields, since both are restricted.
    var matchesEither = false
  }

  /// Whether the line names each hour, so that it means a distance in time and not a time of day.
  var namesEveryHour: Bool { hours == Self.everyHour }

  static let everyHour: Numbers = (1 << 24) - 1
}

extension CronExpression {
  /// The first minute of local time that the line names.
  ///
  /// - Parameters:
  ///   - second: A number of seconds since 1970, of local time. It may be the result.
  ///   - limit: The latest result.
  /// - Complexity: O(*d*), where *d* is the number of days in between, in months that the line
  ///   names.
  func first(from second: Int, through limit: Int) -> Int? {
    let minute = (second + 59).floorDivided(by: 60)
    var day = minute.floorDivided(by: 1_440)
    if let match = firstMinute(from: minute - day * 1_440), matches(day) {
      return within(limit, day * 86_400 + match * 60)
    }
    guard let match = firstMinute(from: 0) else { return nil }
    day += 1
    let lastDay = limit.floorDivided(by: 86_400)
    while day <= lastDay {
      let date = CivilDate(daysSince1970: day)
      if months & (1 << date.month) == 0 {
        day = date.nextMonth.daysSince1970
      } else if days.match(date, weekday: CivilDate.weekday(daysSince1970: day)) {
        return within(limit, day * 86_400 + match * 60)
      } else {
        day += 1
      }
    }
    return nil
  }

  private func within(_ limit: Int, _ second: Int) -> Int? { second <= limit ? second : nil }

  /// The first minute of a day that the line names.
  private func firstMinute(from minute: Int) -> Int? {
    let (hour, rest) = minute.quotientAndRemainder(dividingBy: 60)
    if hours & (1 << hour) != 0, let match = minutes.first(from: rest) { return hour * 60 + match }
    guard let hour = hours.first(from: hour + 1), let match = minutes.first(from: 0) else {
      return nil
    }
    return hour * 60 + match
  }

  private func matches(_ day: Int) -> Bool {
    let date = CivilDate(daysSince1970: day)
    return months & (1 << date.month) != 0
      && days.match(date, weekday: CivilDate.weekday(daysSince1970: day))
  }
}

extension CronExpression.Days {
  func match(_ date: CivilDate, weekday: Int) -> Bool {
    let length = date.lengthOfMonth
    let matchesDay =
      daysOfMonth & (1 << date.day) != 0 || includesLastDay && date.day == length
      || daysWithNearWeekday != 0 && isNear(date.day, weekday: weekday, length: length)
    let occurrence = (date.day - 1) / 7 + 1
    let matchesWeekday =
      weekdays & (1 << weekday) != 0
      || occurrences[weekday] & (1 << occurrence) != 0
      || occurrences[weekday] & 1 != 0 && date.day + 7 > length
    return matchesEither ? matchesDay || matchesWeekday : matchesDay && matchesWeekday
  }

  /// Whether a day is the weekday that is nearest to one of the days, in the same month.
  private func isNear(_ day: Int, weekday: Int, length: Int) -> Bool {
    (max(1, day - 2)...min(length, day + 2)).contains { other in
      let isNamed =
        daysWithNearWeekday & (1 << other) != 0 || daysWithNearWeekday & 1 != 0 && other == length
      let nearest =
        switch (weekday + other - day + 7) % 7 {
        case 6: other > 1 ? other - 1 : other + 2
        case 0: other < length ? other + 1 : other - 2
        default: other
        }
      return isNamed && nearest == day
    }
  }
}

extension CronExpression.Numbers {
  /// The smallest of the numbers that is not less than another one.
  func first(from lowest: Int) -> Int? {
    guard lowest < 64 else { return nil }
    let rest = self >> lowest
    return rest == 0 ? nil : lowest + rest.trailingZeroBitCount
  }
}
