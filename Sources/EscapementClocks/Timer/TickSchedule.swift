import _EscapementCore

/// When the ticks of a timer are due.
package struct TickSchedule<Instant: InstantProtocol> {
  private let interval: Instant.Duration
  private let missed: MissedTicks
  private var start: Instant
  /// The number of the next tick: multiplied, and not added up, so that nothing drifts.
  private var count = 1

  /// - Precondition: `interval` is positive.
  package init(start: Instant, interval: Instant.Duration, missed: MissedTicks) {
    self.start = start
    self.interval = interval
    self.missed = missed
  }

  /// When the next tick is due.
  package var nextDeadline: Instant { deadline(of: count) }

  /// Goes on to the tick after the one that was delivered.
  ///
  /// - Parameters:
  ///   - asked: When somebody asked for the tick.
  ///   - delivered: When it was delivered.
  package mutating func tick(asked: Instant, delivered: Instant) {
    switch missed {
    case .burst:
      count += 1
    case .skip:
      count = firstCount(after: delivered)
    case .delay:
      let isLate = asked > nextDeadline || delivered >= deadline(of: count + 1)
      if isLate {
        start = delivered
        count = 1
      } else {
        count += 1
      }
    }
  }

  /// The first tick that is due after `now`, and not before the next one.
  private func firstCount(after now: Instant) -> Int {
    let next = count + 1
    guard deadline(of: next) <= now else { return next }
    let count = max(next, Saturating.quotient(start.duration(to: now), interval))
    // The quotient of other durations than `Swift.Duration` is rounded.
    return deadline(of: count) > now || count == .max ? count : count + 1
  }

  private func deadline(of count: Int) -> Instant {
    start.advanced(by: Saturating.product(interval, count))
  }
}
