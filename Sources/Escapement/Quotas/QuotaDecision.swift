/// The answer to a request for permits that does not wait.
@frozen public enum QuotaDecision: Hashable, Sendable {
  /// The permits have been granted. `remaining` more are available now.
  case allowed(remaining: Int)
  /// Not enough permits are available. They will be after this time, if no other caller takes them.
  case denied(retryAfter: Duration)

  /// Whether the permits have been granted.
  public var isAllowed: Bool {
    switch self {
    case .allowed: true
    case .denied: false
    }
  }
}
