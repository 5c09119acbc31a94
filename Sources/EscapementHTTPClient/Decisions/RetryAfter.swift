#if AsyncHTTPClient
  import Escapement

  /// The values of the field `Retry-After` (RFC 9110, 10.2.3).
  enum RetryAfter {
    /// The time until another attempt; negative for a date that has passed, and `nil` if the value
    /// is neither a number of seconds nor a date.
    static func delay(_ value: some StringProtocol, now: WallClock.Instant) -> Duration? {
      let words = value.split { " ,-\t".contains($0) }
      if words.count == 1, value.utf8.allSatisfy({ isDigit($0) || isBlank($0) }) {
        return .seconds(Int64(words[0]) ?? .max)
      }
      return date(words).map { now.duration(to: $0) }
    }

    /// The date of the words, in one of the three forms of RFC 9110, 5.6.7.
    private static func date<Word: StringProtocol>(_ words: [Word]) -> WallClock.Instant? {
      switch words.count {
      // Sun, 06 Nov 1994 08:49:37 GMT, and Sunday, 06-Nov-94 08:49:37 GMT
      case 6 where words[5] == "GMT":
        date(day: words[1], month: words[2], year: words[3], time: words[4])
      // Sun Nov  6 08:49:37 1994
      case 5: date(day: words[2], month: words[1], year: words[4], time: words[3])
      default: nil
      }
    }

    private static func date(
      day: some StringProtocol, month: some StringProtocol, year: some StringProtocol,
      time: some StringProtocol
    ) -> WallClock.Instant? {
      let time = time.split(separator: ":").map { number($0, 0...60) }
      guard let day = number(day, 1...31), let month = months.firstIndex(of: String(month)),
        var fullYear = number(year, 0...9_999), time.count == 3, let hour = time[0],
        let minute = time[1], let second = time[2], hour < 24, minute < 60
      else { return nil }
      if year.utf8.count == 2 { fullYear += fullYear < 70 ? 2_000 : 1_900 }
      let date = CivilDate(year: fullYear, month: month + 1, day: day)
      guard day <= date.lengthOfMonth else { return nil }
      let seconds = date.daysSince1970 * 86_400 + hour * 3_600 + minute * 60 + second
      return WallClock.Instant(offset: .seconds(seconds))
    }

    private static let months = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func number(_ text: some StringProtocol, _ range: ClosedRange<Int>) -> Int? {
      guard text.utf8.allSatisfy(isDigit), let number = Int(text) else { return nil }
      return range.contains(number) ? number : nil
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
      UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
    }

    private static func isBlank(_ byte: UInt8) -> Bool {
      byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
    }
  }
#endif
