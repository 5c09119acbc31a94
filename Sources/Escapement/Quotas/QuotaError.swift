/// Permits cannot be given.
public enum QuotaError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A number of permits was asked for that is not positive.
  case invalidRequest(permits: Int)
  /// More permits were asked for than there can ever be at once.
  case beyondCapacity(permits: Int, capacity: Int)
  /// The permits will not be there before the deadline, but only after this time.
  case deadlineUnreachable(retryAfter: Duration)

  /// What was asked for, and why it cannot be given.
  public var description: String {
    switch self {
    case .invalidRequest(let permits):
      "\(permits) permits were asked for, but it must be at least one."
    case .beyondCapacity(let permits, let capacity):
      """
      \(permits) permits were asked for at once, but there can never be more than \(capacity). Ask \
      for fewer at a time, or give the quota a larger capacity.
      """
    case .deadlineUnreachable(let time):
      "The permits will be there in \(time), which is after the deadline."
    }
  }
}
