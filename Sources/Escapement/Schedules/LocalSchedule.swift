/// Minutes of local time, as seconds since 1970-01-01T00:00:00Z.
struct LocalSchedule: Sendable {
  let expression: CronExpression
  let zone: any UTCOffsets

  /// The first run after an instant, up to a limit.
  func next(after second: Int, through limit: Int) -> Int? {
    next(after: second, through: limit, zone)
  }

  private func next(after second: Int, through limit: Int, _ zone: some UTCOffsets) -> Int? {
    var second = second
    while second < limit {
      let segment = OffsetSegment(at: second + 1, zone)
      let run = first(in: segment, after: second, through: limit)
      let end = OffsetSegment.nextChange(after: second + 1, through: run ?? limit, zone)
      guard let end else { return run }
      second = end - 1
    }
    return nil
  }

  /// The first run after an instant, as if the offset did not change any more.
  private func first(in segment: OffsetSegment, after second: Int, through limit: Int) -> Int? {
    var start = second + 1 + segment.offset
    var skipped: Int?
    if let change = segment.change {
      if change.from > segment.offset, !expression.namesEveryHour {
        // These local times come twice, and the first time has passed.
        start = max(start, change.at + change.from)
      }
      if change.from < segment.offset {
        // These local times are missing. They count with the offset before the change.
        skipped = expression.first(
          from: max(second + 1, change.at) + change.from,
          through: change.at + segment.offset - 1
        ).map { $0 - change.from }
      }
    }
    let regular = expression.first(from: start, through: limit + segment.offset)
      .map { $0 - segment.offset }
    guard let regular, let skipped else { return regular ?? skipped }
    return min(regular, skipped)
  }
}
