import EscapementClocks
import _EscapementCore

/// When a timer fires: at its first deadline, and then, if it repeats, at whole intervals.
///
/// As in a run loop, dates for which nobody was ready are skipped.
struct VirtualTimerStateMachine<Instant: InstantProtocol> where Instant.Duration == Duration {
  private var ticks: TickSchedule<Instant>?

  /// When the timer fires next; `nil` when it does not any more.
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

  /// The timer has fired.
  mutating func fired(at now: Instant, isValid: Bool) {
    guard isValid, let deadline else {
      self.deadline = nil
      return
    }
    ticks?.tick(asked: deadline, delivered: now)
    self.deadline = ticks?.nextDeadline
  }
}

/// The state of a timer, which only its alarm uses, on the main actor.
final class LockedTimerStateMachine: Sendable {
  private let state: Lock<VirtualTimerStateMachine<AnyClock<Duration>.Instant>>

  init(_ state: VirtualTimerStateMachine<AnyClock<Duration>.Instant>) { self.state = Lock(state) }

  func fired(
    at now: AnyClock<Duration>.Instant, isValid: Bool
  ) -> AnyClock<Duration>.Instant? {
    state.withLock {
      $0.fired(at: now, isValid: isValid)
      return $0.deadline
    }
  }
}
