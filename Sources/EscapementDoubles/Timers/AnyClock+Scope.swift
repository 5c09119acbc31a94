import EscapementClocks
import EscapementTesting
import EscapementVirtualTime
import _EscapementCore

extension AnyClock<Duration> {
  /// The virtual time of the caller; outside a scope a clock that stands, and an issue.
  static func ofScope(for user: String, _ location: SourceLocation) -> AnyClock {
    if let time = VirtualTime.current { return AnyClock(time) }
    DoubleOwner.current.report(
      """
      A \(user) was created without a clock, outside a virtual-time scope. Nothing that waits in it \
      will ever go on.

      Run the test in virtual time, with '@Test(.virtualTime)' or 'withVirtualTime', or give it a \
      clock: '\(user)(clock: TestClock())'.
      """, at: location)
    return AnyClock(TestClock())
  }
}
