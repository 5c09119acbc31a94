import Foundation
import IssueReporting
import _EscapementCore

extension Timer {
  /// Warns if the timer has probably lost its delay.
  ///
  /// On Linux the first date of `Timer(timeInterval:repeats:block:)` is the time of the call, so
  /// that a double cannot know for how long the code wants to wait. A date that the code has chosen
  /// is rarely the present one.
  func warnOfLostDelay(at location: SourceLocation) {
    #if !canImport(Darwin)
      guard isValid, (-1...0).contains(fireDate.timeIntervalSinceNow) else { return }
      location.reportIssue(
        """
        A timer was added whose first date is now, so it is due at once.

        'Timer(timeInterval:repeats:block:)' loses its delay on Linux, with a real run loop as well: the \
        first date of such a timer is the time at which it is created. Create the timer with \
        'Timer(after:repeats:block:)' of EscapementFoundation. If the timer is to fire at once, give it \
        the date '.distantPast' with 'Timer(fire:interval:repeats:block:)'.
        """, severity: .warning)
    #endif
  }
}
