public import Foundation

/// An object that fires the timers that are added to it: a run loop or its test double.
///
/// Take it as an argument whose default is the run loop. The rest of the code does not change:
///
/// ```swift
/// init(scheduler: any TimerScheduler = RunLoop.main) { … }
/// scheduler.add(timer, forMode: .common)
/// ```
///
/// In a test, pass a double of EscapementDoubles. With the `MockTimerScheduler` the test sees the
/// added timers and fires them by hand. The `VirtualTimerScheduler` fires them in virtual time.
public protocol TimerScheduler {
  /// Adds a timer, which fires at its date. A timer that repeats fires again after each interval,
  /// until it is invalidated.
  ///
  /// - Parameters:
  ///   - timer: The timer. The scheduler keeps a reference to it until it is invalidated.
  ///   - mode: The mode of the run loop in which the timer may fire.
  func add(_ timer: Timer, forMode mode: RunLoop.Mode)
}

extension RunLoop: TimerScheduler {}
