import Escapement
import EscapementClocks
public import EscapementFoundation
import EscapementTesting
public import Foundation
import _EscapementCore

/// A timer scheduler that fires timers in virtual time.
///
/// ```swift
/// // In a test with the trait .virtualTime:
/// let manager = FeaturedPlaceManager(timerScheduler: VirtualTimerScheduler())
/// manager.scheduleNextPlace()
/// try await Task.sleep(for: .seconds(10))
/// #expect(manager.refreshCount == 1)
/// ```
///
/// A timer fires on the main actor at its `fireDate`. If it repeats, it fires at its interval from
/// then on. Its tolerance is passed to the clock, which has no effect in virtual time. Timers with
/// equal dates fire in the order in which they were added, also relative to other sleeps on the
/// clock.
///
/// - The `fireDate` is read once, when the timer is added.
/// - The clock does not notice that a timer is invalidated: time still stops at its deadline, but
///   nothing fires.
/// - When the scheduler is released, it drops its timers. Keep a reference for as long as they
///   matter.
public final class VirtualTimerScheduler: TimerScheduler, Sendable {
  private let core: VirtualTimers

  /// Creates a scheduler without timers, which waits with a clock.
  ///
  /// - `clock`: The clock that the scheduler waits with.
  /// - `resolution`: The delay until the first date is rounded up to a multiple of this duration,
  ///   which must be positive. The default, about the precision of `Date`, suits a virtual-time
  ///   scope where `Date()` is virtual. Elsewhere a timer's date is real, and a little real time
  ///   passes until the timer is added: pass the largest duration that divides all delays of the
  ///   test, such as a second.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    clock: some Clock<Duration>, resolution: Duration = .microseconds(1),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let location = SourceLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    var resolution = resolution
    if resolution <= .zero {
      let refusal = InvalidArgumentError("resolution", resolution, mustBe: "positive")
      DoubleOwner.current.report(
        "\(refusal) The scheduler uses a microsecond instead.", at: location)
      resolution = .microseconds(1)
    }
    core = VirtualTimers(clock: AnyClock(clock), resolution: resolution, location)
  }

  /// Creates a scheduler without timers, which waits with the virtual time of the caller.
  ///
  /// Outside a virtual-time scope this fails the test, and no timer ever fires.
  public init(
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    let location = SourceLocation(
      fileID: fileID, filePath: filePath, line: line, column: column)
    core = VirtualTimers(
      clock: .ofScope(for: "VirtualTimerScheduler", location), resolution: .microseconds(1),
      location)
  }

  deinit { core.cancelAll() }

  /// The timers that were added and, as far as the scheduler knows, are valid, in the order of the
  /// calls.
  ///
  /// The scheduler notices that a timer was invalidated at the timer's next deadline.
  public var timers: [Timer] { core.timers }

  /// Adds a timer.
  ///
  /// A timer is ignored and fails the test, at the line that created the scheduler, if it is
  /// invalid, has no finite date or interval, or was added for the same mode before. A timer that
  /// is added for a second mode fires only once at each date.
  public func add(_ timer: Timer, forMode mode: RunLoop.Mode) {
    core.add(timer, mode)
  }
}

/// The part of a scheduler that its alarms refer to, so that they do not keep the scheduler alive.
private final class VirtualTimers: Sendable {
  private struct State {
    var added = AddedTimers()
    var alarms: [ObjectIdentifier: Alarm] = [:]
  }

  private let clock: AnyClock<Duration>
  private let resolution: Duration
  private let owner = DoubleOwner.current
  private let location: SourceLocation
  private let state = Lock(State())

  init(clock: AnyClock<Duration>, resolution: Duration, _ location: SourceLocation) {
    self.clock = clock
    self.resolution = resolution
    self.location = location
  }

  var timers: [Timer] { state.withLock { $0.added.timers } }

  func add(_ timer: Timer, _ mode: RunLoop.Mode) {
    let delay = timer.fireDate.timeIntervalSinceNow
    guard delay.isFinite, let interval = try? Duration(timeInterval: timer.timeInterval) else {
      report(
        """
        A timer was added whose first date is \(delay) s ahead and whose interval is \
        \(timer.timeInterval) s. It will not fire.

        Both must be finite. They may be the result of a division by zero, or an overflow. Create the \
        timer with a finite date and interval.
        """)
      return
    }
    let isValid = timer.isValid
    let (refusal, isKnown) = state.withLock { state in
      let isKnown = !state.added.modes(of: timer).isEmpty
      return (state.added.add(timer, mode, isValid: isValid), isKnown)
    }
    if let refusal { return report(refusal.description) }
    guard !isKnown else { return }
    timer.warnOfLostDelay(at: location)
    setAlarm(
      for: timer,
      VirtualTimerStateMachine(
        first: clock.now.advanced(by: roundedUp(delay)),
        interval: interval == .zero ? nil : interval))
  }

  func cancelAll() {
    for alarm in state.withLock({ $0.alarms.values }) { alarm.cancel() }
  }

  private func setAlarm(
    for timer: Timer, _ machine: VirtualTimerStateMachine<AnyClock<Duration>.Instant>
  ) {
    guard let deadline = machine.deadline else { return }
    let id = ObjectIdentifier(timer)
    let machine = Lock(machine)
    let alarm = Alarm(
      "Timer", clock: clock, deadline: deadline,
      tolerance: try? Duration(timeInterval: timer.tolerance)
    ) { [self] in
      let (isValid, now) = (fire(id), clock.now)
      return machine.withLock { $0.fired(at: now, isValid: isValid) }
    } failure: { [self] error in
      forget(id)
      report(
        """
        A timer was added but cannot fire: \(error)

        The virtual time of its clock may have ended: an object or a task may use the scheduler after \
        the end of the test that created it. Release the scheduler, or cancel the task, before the \
        test ends.
        """)
    }
    let isForgotten = state.withLock { state in
      guard state.added.contains(id) else { return true }
      state.alarms[id] = alarm
      return false
    }
    if isForgotten { alarm.cancel() }
  }

  private func report(_ message: String) { owner.report(message, at: location) }

  /// Fires a timer, and returns whether it is valid afterwards.
  @MainActor private func fire(_ id: ObjectIdentifier) -> Bool {
    guard let timer = state.withLock({ $0.added[id] }) else { return false }
    // An invalid timer does not fire.
    timer.fire()
    guard !timer.isValid else { return true }
    forget(id)
    return false
  }

  private func forget(_ id: ObjectIdentifier) {
    state.withLock { state in
      state.added.remove(id)
      state.alarms[id] = nil
    }
  }

  /// Subtracts a quarter of a microsecond first, because `Date` is only precise to about a tenth,
  /// and an error of rounding must not add a unit.
  private func roundedUp(_ delay: TimeInterval) -> Duration {
    let units = ((delay - 0.25e-6) / TimeInterval(resolution)).rounded(.up)
    return Saturating.product(resolution, Int(clamping: Int64(max(0, min(units, 9e18)))))
  }
}
