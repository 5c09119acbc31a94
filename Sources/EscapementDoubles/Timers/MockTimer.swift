import EscapementFoundation
public import Foundation
import _EscapementCore

/// A timer that fires only when the test calls `fire()`, for code whose timer class is an argument.
///
/// Some code schedules its timers with `Timer.scheduledTimer(withTimeInterval:repeats:block:)`. To
/// test it, make the class an argument with the default `Timer.self`. The test passes
/// `MockTimer.self`, inside `withMockTimers`:
///
/// ```swift
/// withMockTimers { timers in
///   let manager = TimerManager(timerProvider: MockTimer.self)
///   manager.start()
///   timers.last?.fire()
/// }
/// ```
///
/// The timer does not use a run loop. As with a real timer, one that does not repeat is valid while
/// its block runs, and invalid afterwards.
public final class MockTimer: Timer {
  // All properties have a default value, so that the initialisers are inherited: see `make()`.
  private let state = Lock(MockTimerStateMachine())
  private let owner = Lock<MockTimers?>(nil)

  /// Creates a timer and records it in the ``MockTimers`` of the enclosing `withMockTimers`.
  ///
  /// The interval must be finite and not negative, and positive if the timer repeats. Any other
  /// interval fails the test at the line of `withMockTimers`, and the timer is invalid. A call
  /// outside `withMockTimers` fails the test as well, and the timer is invalid.
  public override class func scheduledTimer(
    withTimeInterval interval: TimeInterval, repeats: Bool,
    block: @escaping @Sendable (Timer) -> Void
  ) -> Timer {
    let timer = make()
    timer.state.withLock {
      $0.schedule(interval: interval, repeats: repeats, at: Date(), block)
    }
    guard let timers = MockTimers.current else {
      MockTimers.reportMissing(interval)
      timer.state.withLock { $0.refuse() }
      return timer
    }
    timer.owner.withLock { $0 = timers }
    if let refusal = TimerArguments.refusal(interval, repeats: repeats) {
      timer.state.withLock { $0.refuse() }
      timers.report(
        "A timer was scheduled with an invalid interval. \(refusal) It will not fire.")
    }
    timers.add(timer)
    return timer
  }

  /// Runs the block if the timer is valid.
  ///
  /// A timer that does not repeat is invalid afterwards.
  ///
  /// After the end of `withMockTimers` this fails the test, and the block does not run.
  public override func fire() {
    if let timers = owner.withLock({ $0 }), timers.hasEnded {
      timers.report(
        """
        A timer of \(timeInterval) s was fired after the end of 'withMockTimers'. Its block has not run.

        An object or a task may keep the timer after the end of the test that scheduled it. Fire it \
        inside 'withMockTimers'.
        """)
      return
    }
    guard let block = state.withLock({ $0.fire() }) else { return }
    block(self)
    state.withLock { $0.fired() }
  }

  /// Makes the timer invalid and counts the call.
  public override func invalidate() { state.withLock { $0.invalidate() } }

  /// Whether the timer can fire.
  public override var isValid: Bool { state.withLock { $0.isValid } }

  /// The interval with which the timer was scheduled.
  ///
  /// A real timer that does not repeat has the interval zero; a mock timer keeps its interval.
  public override var timeInterval: TimeInterval { state.withLock { $0.interval } }

  /// The date at which a real timer would fire first.
  public override var fireDate: Date {
    get { state.withLock { $0.fireDate } }
    set { state.withLock { $0.fireDate = newValue } }
  }

  /// The tolerance that was set.
  public override var tolerance: TimeInterval {
    get { state.withLock { $0.tolerance } }
    set { state.withLock { $0.tolerance = newValue } }
  }

  /// Whether the timer was scheduled to repeat.
  public var repeats: Bool { state.withLock { $0.repeats } }

  /// The number of times the block has run.
  public var fireCount: Int { state.withLock { $0.fireCount } }

  /// The number of calls of `invalidate()`.
  public var invalidateCount: Int { state.withLock { $0.invalidateCount } }
}
