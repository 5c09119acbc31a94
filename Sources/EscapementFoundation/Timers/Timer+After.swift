import Escapement
public import Foundation
import _EscapementCore

extension Timer {
  /// Creates a timer that fires after a delay.
  ///
  /// Add it to a ``TimerScheduler``.
  ///
  /// Use it instead of `init(timeInterval:repeats:block:)`, which has two faults on Linux: the
  /// first date of the timer is now, and an interval that is not a number ends the process.
  ///
  /// The delay must be finite and not negative, and positive for a timer that repeats. Otherwise
  /// the initializer reports an issue, and the timer is invalid from the beginning.
  ///
  /// - `delay`: The time from now to the first date, and between the dates of a timer that repeats.
  /// - `repeats`: Whether the timer fires repeatedly until it is invalidated.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - `block`: The closure that runs when the timer fires.
  public convenience init(
    after delay: TimeInterval, repeats: Bool = false,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    block: @escaping @Sendable (Timer) -> Void
  ) {
    guard let refusal = TimerArguments.refusal(delay, repeats: repeats) else {
      self.init(
        fire: Date(timeIntervalSinceNow: delay), interval: repeats ? delay : 0, repeats: repeats,
        block: block)
      return
    }
    self.init(fire: .distantFuture, interval: 0, repeats: false, block: block)
    invalidate()
    SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
      .reportIssue("\(refusal) This timer is invalid and will not fire.")
  }
}

/// Checks the arguments of timers.
package enum TimerArguments {
  /// The error for a timer that cannot wait for this interval, or `nil` if it can.
  package static func refusal(
    _ interval: TimeInterval, repeats: Bool
  ) -> InvalidArgumentError? {
    do throws(InvalidArgumentError) {
      let duration = try Duration(timeInterval: interval)
      guard repeats, duration == .zero else { return nil }
      return InvalidArgumentError(
        "timeInterval", interval, mustBe: "at least a nanosecond for a timer that repeats")
    } catch {
      return error
    }
  }
}
