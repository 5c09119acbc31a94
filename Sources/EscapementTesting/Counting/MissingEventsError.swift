/// A test has waited for calls, notifications or messages that did not come.
public struct MissingEventsError: Error, Sendable, CustomStringConvertible {
  let events: String
  let expected: Int
  let actual: Int
  let limit: Duration
  let place: String

  /// How many were missing, what that may mean, and what to do.
  public var description: String {
    """
    A test has waited for \(expected) \(events) (at \(place)), but after \(limit) there were \
    \(actual).

    The code under test may have taken another way, or still waits itself. In a virtual-time scope \
    ('@Test(.virtualTime)' or 'withVirtualTime') its waiting takes no time, and the scope knows at \
    once that nothing more will happen.
    """
  }
}
