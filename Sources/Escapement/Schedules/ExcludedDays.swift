/// Days of local time on which nothing runs.
struct ExcludedDays: Sendable {
  /// As numbers of days since 1970-01-01.
  private var days: Set<Int> = []
  private let zone: any UTCOffsets

  /// Reads days, such as `2026-12-25`.
  init(_ texts: [String], in zone: some UTCOffsets) throws(CronSyntaxError) {
    self.zone = zone
    for text in texts {
      guard let day = CivilDate(text) else {
        throw CronSyntaxError(
          line: text, column: 1,
          reason: "'\(text)' is not a day of the calendar; write it as 2026-12-25.")
      }
      days.insert(day.daysSince1970)
    }
  }

  /// The end of the day of a run, or `nil` if that day counts.
  ///
  /// If the offset changes before, the result is the instant of the change.
  func end(ofDayOf run: WallClock.Instant) -> WallClock.Instant? {
    let second = run.wholeSeconds
    guard CalendarRange.seconds.contains(second) else { return nil }
    let offset = zone.offset(at: second)
    let day = (second + offset).floorDivided(by: 86_400)
    guard days.contains(day) else { return nil }
    let end = (day + 1) * 86_400 - offset
    let change = OffsetSegment.nextChange(after: second, through: end, zone)
    return WallClock.Instant(seconds: change ?? end)
  }
}
