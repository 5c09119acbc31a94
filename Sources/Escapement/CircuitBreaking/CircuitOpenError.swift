/// A circuit breaker has refused a call, because earlier calls have failed.
public struct CircuitOpenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The time after which the breaker lets a call through as a probe; `nil` if it is not known, because
  /// probes are under way or the breaker is isolated.
  public let retryAfter: Duration?

  /// A sentence that says what happened and what to do.
  public var description: String {
    let time = retryAfter.map { "in \($0)" } ?? "when the breaker has closed"
    return """
      The circuit breaker has refused the call, because earlier calls of the service have failed. Try \
      again \(time), or use a fallback.
      """
  }
}
