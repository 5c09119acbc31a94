import EscapementClocks

/// The state machine of a timer that fires at its first deadline and, if it repeats, at each
/// interval.
///
/// As in a run loop, the timer skips deadlines that pass while the previous firing is late.
struct VirtualTimerStateMachine<Instant: InstantProtocol> where Instant.Duration == Duration {
  private var ticks: TickSchedule<Instant>?

  /// The next deadline; `nil` if the timer does not fire any more.
  private(set) var deadline: Instant?

  /// - Parameters:
  ///   - first: The first deadline.
  ///   - interval: A positive interval, or `nil` for a timer that does not repeat.
  init(first: Instant, interval: Duration?) {
    deadline = first
    ticks = interval.map { interval in
      TickSchedule(
        start: first.advanced(by: .zero - interval), interval: interval, missed: .skip)
    }
  }

  /// The timer has fired; returns the next deadline.
  @discardableResult mutating func fired(at now: Instant, isValid: Bool) -> Instant? {
    if isValid, let deadline {
      ticks?.tick(asked: deadline, delivered: now)
      self.deadline = ticks?.nextDeadline
    } else {
      deadline = nil
    }
    return deadline
  }
}
