/// A circuit breaker has refused a call, because earlier calls have failed or it has been isolated.
public struct CircuitOpenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time after which the breaker lets a call through as a probe; `nil` if it is not known,
  /// because probes are under way or the breaker is isolated.
  public let retryAfter: Duration?

  /// Creates an error, for a test or a breaker of your own.
  public init(retryAfter: Duration? = nil) { self.retryAfter = retryAfter }

  /// The event, and the remedy.
  public var description: String {
    guard let retryAfter else {
      return """
        The circuit breaker has refused the call, because it has been isolated, or because it tries with other \
        calls whether the service has recovered. Try again later, or use a fallback.
        """
    }
    return """
      The circuit breaker has refused the call, because earlier calls of the service have failed. Try \
      again in \(retryAfter), or use a fallback.
      """
  }
}
