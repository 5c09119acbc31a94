/// The answer to somebody who asked for permits and does not wait.
@frozen public enum QuotaDecision: Hashable, Sendable {
  /// The permits have been given; so many more could be given right now.
  case allowed(remaining: Int)
  /// There are not enough permits; there will be after this time, if nobody else takes them.
  case denied(retryAfter: Duration)

  /// Whether the permits have been given.
  public var isAllowed: Bool {
    switch self {
    case .allowed: true
    case .denied: false
    }
  }
}
