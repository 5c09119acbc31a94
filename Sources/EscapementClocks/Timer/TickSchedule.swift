import _EscapementCore

/// The deadlines of the ticks of a timer.
package struct TickSchedule<Instant: InstantProtocol> {
  private let interval: Instant.Duration
  private let missed: MissedTicks
  private var start: Instant
  /// The number of the next tick.
  ///
  /// Deadlines are multiples of the interval and not sums, so that they do not drift.
  private var count = 1

  /// - Precondition: `interval` is positive.
  package init(start: Instant, interval: Instant.Duration, missed: MissedTicks) {
    self.start = start
    self.interval = interval
    self.missed = missed
  }

  /// The deadline of the next tick.
  package var nextDeadline: Instant { deadline(of: count) }

  /// Moves on to the next tick, after one was delivered.
  ///
  /// - Parameters:
  ///   - asked: The instant at which the consumer asked for the tick.
  ///   - delivered: The instant at which the tick was delivered.
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

  /// The number of the first tick after the current one whose deadline is later than `now`.
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
