public import EscapementFoundation
import EscapementTesting
public import Foundation
import _EscapementCore

/// A timer scheduler that records the timers and passes them to the test, which fires them.
///
/// ```swift
/// scheduler.handleAddTimer = { timer in
///   delay = timer.fireDate.timeIntervalSinceNow
///   timer.fire()
/// }
/// manager.scheduleNextPlace()  // the manager has the scheduler; now `delay` is 10
/// ```
///
/// Without a handler the scheduler keeps the ``timers`` until the test calls
/// ``fire(fileID:filePath:line:column:)``:
///
/// ```swift
/// manager.scheduleNextPlace()
/// scheduler.fire()
/// ```
///
/// The delay is exact in a virtual-time scope where `Date()` is virtual. Elsewhere allow a
/// difference of a second.
public final class MockTimerScheduler: TimerScheduler {
  private let owner = DoubleOwner.current
  private let location: SourceLocation
  private let state = Lock(AddedTimers())

  /// Is called with each timer that is added, after it has been recorded.
  public var handleAddTimer: ((_ timer: Timer) -> Void)?

  /// Creates a scheduler without timers.
  ///
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - `handleAddTimer`: Is called with each timer that is added.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    handleAddTimer: ((_ timer: Timer) -> Void)? = nil
  ) {
    location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
    self.handleAddTimer = handleAddTimer
  }

  /// The timers that were added, in the order of the calls.
  ///
  /// Each timer appears once.
  public var timers: [Timer] { state.withLock { $0.timers } }

  /// The timer that was added last.
  public var lastTimer: Timer? { timers.last }

  /// The modes for which a timer was added, in the order of the calls.
  public func modes(of timer: Timer) -> [RunLoop.Mode] {
    state.withLock { $0.modes(of: timer) }
  }

  /// Fires the timers that are valid, in the order in which they were added.
  ///
  /// Timers that are added meanwhile do not fire in the same call. If no timer is valid, the test
  /// fails.
  ///
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public func fire(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let due = timers.filter(\.isValid)
    if due.isEmpty {
      owner.report(
        """
        'fire' was called, but no valid timer was added to the scheduler (timers that were added: \
        \(timers.count)).

        The code under test may not have added its timer yet, may have added it to another scheduler, \
        or may have invalidated it. A timer that does not repeat is invalid after it has fired.
        """,
        at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
    }
    for timer in due where timer.isValid { timer.fire() }
  }

  /// Records the timer and passes it to the handler.
  ///
  /// A timer that is due at once on Linux causes a warning, because
  /// `Timer(timeInterval:repeats:block:)` loses its delay there. A timer that is invalid, or was
  /// added for the same mode before, is ignored and fails the test at the line that created the
  /// scheduler.
  public func add(_ timer: Timer, forMode mode: RunLoop.Mode) {
    if let refusal = state.withLock({ $0.add(timer, mode, isValid: timer.isValid) }) {
      owner.report(refusal.description, at: location)
    } else {
      timer.warnOfLostDelay(at: location)
      handleAddTimer?(timer)
    }
  }
}
