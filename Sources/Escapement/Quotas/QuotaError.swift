/// A limiter cannot grant the permits of a request.
public enum QuotaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The number of permits is not positive.
  case invalidRequest(permits: Int)
  /// The number of permits is larger than the capacity of the quota.
  case beyondCapacity(permits: Int, capacity: Int)
  /// The permits will be available after this time, which is later than the deadline.
  case deadlineUnreachable(retryAfter: Duration)

  /// The number of permits, why the limiter cannot grant them, and what to do.
  public var description: String {
    switch self {
    case .invalidRequest(let permits):
      "'permits' must be at least 1 (got \(permits))."
    case .beyondCapacity(let permits, let capacity):
      """
      'permits' is \(permits), but this quota grants at most \(capacity) at once. Ask for fewer \
      permits at a time, or give the quota a larger capacity.
      """
    case .deadlineUnreachable(.zero):
      "The deadline has passed, so no permits were taken. Pass a later deadline."
    case .deadlineUnreachable(let time):
      """
      The permits will be available in \(time), which is after the deadline. Try again after that \
      time, or pass a later deadline.
      """
    }
  }
}
