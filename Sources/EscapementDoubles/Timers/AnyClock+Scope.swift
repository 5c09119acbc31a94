import EscapementClocks
import EscapementTesting
import EscapementVirtualTime
import _EscapementCore

extension AnyClock<Duration> {
  /// The virtual time of the caller.
  ///
  /// Outside a scope it fails the test, and returns a clock that stands.
  static func ofScope(for user: String, _ location: SourceLocation) -> AnyClock {
    if let time = VirtualTime.current { return AnyClock(time) }
    DoubleOwner.current.report(
      """
      A \(user) was created without a clock and outside a virtual-time scope. Its deadlines will never \
      come.

      The test may lack the trait '.virtualTime'. Run it in virtual time, with '@Test(.virtualTime)' or \
      'withVirtualTime', or pass a clock: '\(user)(clock: TestClock())'.
      """, at: location)
    return AnyClock(TestClock())
  }
}
