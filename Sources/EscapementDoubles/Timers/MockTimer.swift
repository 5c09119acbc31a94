import EscapementFoundation
public import Foundation
import _EscapementCore

/// A timer that never fires by itself, for code that is given the class of its timers.
///
/// Code that schedules its timers with `Timer.scheduledTimer(withTimeInterval:repeats:block:)` can be
/// tested when the class is an argument, whose default is `Timer.self`. In the test it is
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
/// It never touches a run loop. A timer that does not repeat is valid while its block runs, and
/// invalid afterwards, as a real one is.
public final class MockTimer: Timer {
  // All properties have a value, so that the initialisers are inherited: see `make()`.
  private let state = Lock(MockTimerStateMachine())
  private let owner = Lock<MockTimers?>(nil)

  /// Records a timer, in the ``MockTimers`` of the test that runs.
  ///
  /// An interval that is not a number, infinite or negative, or zero for a timer that repeats, is
  /// reported as an issue at the line of `withMockTimers`, and the timer is invalid from the
  /// beginning. So is it outside `withMockTimers`.
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
        "A timer was scheduled. \(refusal) It is invalid and will not fire.")
    }
    timers.add(timer)
    return timer
  }

  /// Runs the block, if the timer is valid; then a timer that does not repeat becomes invalid.
  ///
  /// After the end of `withMockTimers` it does nothing but report an issue.
  public override func fire() {
    if let timers = owner.withLock({ $0 }), timers.hasEnded {
      timers.report(
        """
        A timer of \(timeInterval) s was fired after the end of 'withMockTimers'. It has not run \
        its block. Something has kept it beyond the test that scheduled it.
        """)
      return
    }
    guard let block = state.withLock({ $0.fire() }) else { return }
    block(self)
    state.withLock { $0.fired() }
  }

  /// Makes the timer invalid, and counts the call.
  public override func invalidate() { state.withLock { $0.invalidate() } }

  /// Whether the timer can fire.
  public override var isValid: Bool { state.withLock { $0.isValid } }

  /// The interval that was asked for; of a timer that does not repeat too, other than for real ones.
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

  /// Whether the timer was to fire again and again.
  public var repeats: Bool { state.withLock { $0.repeats } }

  /// How often the block has been run.
  public var fireCount: Int { state.withLock { $0.fireCount } }

  /// How often `invalidate()` was called.
  public var invalidateCount: Int { state.withLock { $0.invalidateCount } }
}
