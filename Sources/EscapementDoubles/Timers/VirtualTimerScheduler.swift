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
/// A timer fires on the main actor, at its `fireDate`, and, if it repeats, at its interval from then
/// on. It passes its tolerance to the clock, which is of no consequence in virtual time. Equal
/// dates fire in the order in which the timers were added, also among other sleeps on the clock.
///
/// - The `fireDate` is read once, when the timer is added.
/// - The clock cannot see that a timer is invalidated: its deadline remains, and nothing fires.
/// - A scheduler that is released drops its timers. Keep it as long as they matter.
public final class VirtualTimerScheduler: TimerScheduler, Sendable {
  private let core: VirtualTimers

  /// Creates a scheduler without timers, which waits with a clock.
  ///
  /// - `clock`: The clock that the scheduler waits with.
  /// - `resolution`: The time from now to the first date is rounded up to whole multiples of this.
  ///   A microsecond, as exact as `Date` is, suits a virtual-time scope where `Date()` is virtual.
  ///   Elsewhere a timer's date is a real one, and a little real time passes until it is added:
  ///   take the largest that divides all times of the test, such as a second. Must be positive.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
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
        "\(refusal) This scheduler uses a microsecond.", at: location)
      resolution = .microseconds(1)
    }
    core = VirtualTimers(clock: AnyClock(clock), resolution: resolution, location)
  }

  /// Creates a scheduler without timers, which waits with the virtual time of the caller.
  ///
  /// Outside a virtual-time scope this is reported as an issue, and nothing fires.
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

  /// The timers that are added and have not been seen to be invalid, in the order of the calls.
  public var timers: [Timer] { core.timers }

  /// Adds a timer.
  ///
  /// A timer that is invalid, has no finite date or interval, or has been added for the same mode
  /// before, is reported as an issue at the line that created the scheduler, and ignored. A timer
  /// that is added for a second mode fires only once at each date.
  public func add(_ timer: Timer, forMode mode: RunLoop.Mode) {
    core.add(timer, mode)
  }
}

/// What the alarms of a scheduler hold on to, so that they do not keep the scheduler alive.
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
        \(timer.timeInterval) s. Both must be finite. It will not fire.
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
    let machine = LockedTimerStateMachine(machine)
    let alarm = Alarm(
      "Timer", clock: clock, deadline: deadline,
      tolerance: try? Duration(timeInterval: timer.tolerance)
    ) { [self] in
      machine.fired(at: clock.now, isValid: fire(id))
    } failure: { [self] error in
      forget(id)
      report(
        """
        A timer was added that cannot fire: \(error)

        The scheduler was used after the end of its clock's virtual time. Something has kept it \
        beyond the test that created it.
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
    // A timer that is invalid does not fire.
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

  /// `Date` has a resolution of a tenth of a microsecond, which must not count as another unit.
  private func roundedUp(_ delay: TimeInterval) -> Duration {
    let units = ((delay - 0.25e-6) / TimeInterval(resolution)).rounded(.up)
    return Saturating.product(resolution, Int(clamping: Int64(max(0, min(units, 9e18)))))
  }
}
