package import Escapement
public import Foundation
import _EscapementCore

extension Timer {
  /// Creates a timer that fires when a time has passed; it has to be added to a ``TimerScheduler``.
  ///
  /// Use it in the place of `init(timeInterval:repeats:block:)`, which on Linux makes a timer whose
  /// first date is the present one, and which ends the process when the interval is not a number.
  ///
  /// - Parameters:
  ///   - delay: The time from now to the first date, and between the dates of a timer that repeats.
  ///     One that is not a number, infinite or negative, or zero for a timer that repeats, is
  ///     reported as an issue, and the timer is invalid from the beginning.
  ///   - repeats: Whether the timer fires until it is invalidated, or once.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line.
  ///   - column: The caller's column.
  ///   - block: What happens when it fires.
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

/// What is wrong with the arguments of timers.
package enum TimerArguments {
  /// Says why no timer can wait so long, or returns `nil` if it can.
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
