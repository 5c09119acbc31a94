/// A date of the proleptic Gregorian calendar.
///
/// The conversions are those of Howard Hinnant's [chrono-Compatible Low-Level Date
/// Algorithms](https://howardhinnant.github.io/date_algorithms.html). A year begins in March, so
/// that the leap day is its last one.
package struct CivilDate: Hashable {
  var year: Int
  /// 1...12.
  var month: Int
  /// 1...31.
  var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Reads a date such as `2026-12-25`, of the years 1 to 9999.
  init?(_ text: String) {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    guard parts.map(\.count) == [4, 2, 2],
      parts.joined().allSatisfy({ $0.isASCII && $0.isNumber }),
      let year = Int(parts[0]), let month = Int(parts[1]), let day = Int(parts[2]),
      year >= 1, 1...12 ~= month
    else { return nil }
    self.init(year: year, month: month, day: day)
    guard 1...lengthOfMonth ~= day else { return nil }
  }

  init(daysSince1970 days: Int) {
    let shifted = days + 719_468
    let era = shifted.floorDivided(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  package var daysSince1970: Int {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear.floorDivided(by: 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The number of days of the month.
  package var lengthOfMonth: Int {
    switch month {
    case 4, 6, 9, 11: 30
    case 2:
      year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    default: 31
    }
  }

  /// The first day of the next month.
  var nextMonth: CivilDate {
    month == 12
      ? CivilDate(year: year + 1, month: 1, day: 1)
      : CivilDate(year: year, month: month + 1, day: 1)
  }

  /// The day of the week of a day: 0 is Sunday.
  static func weekday(daysSince1970 days: Int) -> Int { (days + 4).floorModulo(7) }
}

extension Int {
  /// The quotient, rounded down.
  func floorDivided(by divisor: Int) -> Int {
    (self - floorModulo(divisor)) / divisor
  }

  /// The rest of the division that is rounded down; never negative for a positive divisor.
  func floorModulo(_ divisor: Int) -> Int {
    let rest = self % divisor
    return rest < 0 ? rest + divisor : rest
  }
}
