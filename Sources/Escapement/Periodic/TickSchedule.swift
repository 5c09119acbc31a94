import EscapementClocks

/// The deadlines of a periodic task.
///
/// Each deadline is computed from the one before, never from the time of waking, so that late
/// wake-ups do not add up.
struct TickSchedule<Instant: InstantProtocol<Duration>> {
  let interval: Duration
  let missed: MissedTicks
  /// When the next tick is due.
  private(set) var next: Instant

  init(start: Instant, interval: Duration, missed: MissedTicks) {
    self.interval = min(interval, .horizon)
    self.missed = missed
    next = start.advanced(by: self.interval)
  }

  /// Moves on to the tick after the one that has been dealt with.
  ///
  /// A tick is missed when its deadline has passed by then; one that is due this very moment is not.
  mutating func advance(now: Instant) {
    next = next.advanced(by: interval)
    guard next < now else { return }
    switch missed {
    case .burst:
      return
    case .delay:
      next = now.advanced(by: interval)
    case .skip:
      let behind = next.duration(to: now).attoseconds
      let missedTicks = (behind + interval.attoseconds - 1) / interval.attoseconds
      next = next.advanced(by: Duration(attoseconds: missedTicks * interval.attoseconds))
    }
  }
}
