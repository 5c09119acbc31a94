/// A concurrency limiter has refused an operation.
public struct ConcurrencyLimitError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why an operation is refused.
  public enum Reason: Hashable, Sendable {
    /// As many tasks wait as `maximumWaiting` allows.
    case manyWait
    /// Another task with a higher priority has taken its place.
    case displaced
    /// It has waited for longer than `maximumDelay` allows.
    case waitedTooLong
  }

  /// Why the operation was refused.
  public let reason: Reason

  /// Creates an error, for a test or a limiter of your own.
  public init(_ reason: Reason = .manyWait) { self.reason = reason }

  /// The event, and the remedy.
  public var description: String {
    let cause =
      switch reason {
      case .manyWait: "as many tasks wait as 'maximumWaiting' allows"
      case .displaced: "a task with a higher priority has taken its place"
      case .waitedTooLong: "it has waited for longer than 'maximumDelay' allows"
      }
    return """
      The concurrency limiter has refused the operation, because \(cause). Try again later, or answer \
      that the service is busy.
      """
  }
}
