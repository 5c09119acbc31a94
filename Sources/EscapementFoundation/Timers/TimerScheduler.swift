public import Foundation

/// What a timer is added to, so that it fires: a run loop, or the double of one.
///
/// Take it as an argument whose default is the run loop, and the code that waits stays as it is:
///
/// ```swift
/// init(scheduler: any TimerScheduler = RunLoop.main) { … }
/// scheduler.add(timer, forMode: .common)
/// ```
///
/// In a test hand in the `MockTimerScheduler` of EscapementDoubles, to see what is added and fire it
/// by hand, or the `VirtualTimerScheduler`, which fires timers in virtual time.
public protocol TimerScheduler {
  /// Adds a timer, which fires at its date, and, if it repeats, at its interval from then on, until
  /// it is invalidated.
  ///
  /// - Parameters:
  ///   - timer: The timer. It is kept until it has been invalidated.
  ///   - mode: The mode of the run loop in which the timer may fire.
  func add(_ timer: Timer, forMode mode: RunLoop.Mode)
}

extension RunLoop: TimerScheduler {}
