/// A test has waited for calls, requests, notifications or messages that did not come in time.
public struct MissingEventsError: Error, Sendable, CustomStringConvertible {
  let events: String
  let expected: Int
  let actual: Int
  let limit: Duration
  let place: String

  /// The event, its likely cause, and the remedy.
  public var description: String {
    """
    A test has waited for \(expected) \(events) (at \(place)), but there were \(actual) after \(limit).

    The code under test may have taken another path, or may itself still be waiting. Run the test in \
    virtual time, with '@Test(.virtualTime)' or 'withVirtualTime': there a wait takes no time, and the \
    scope reports at once that nothing more can happen.
    """
  }
}
