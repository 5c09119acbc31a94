import _EscapementCore

/// A call that outlives the function in which it began, such as one that streams its answer.
///
/// A call that is dropped before its end does not count, and gives the place of a probe back.
package final class CircuitBreakerCall<C: Clock<Duration>>: Sendable {
  private let breaker: CircuitBreaker<C>
  private let generation: Int
  private let start: Int64
  private let hasEnded = Lock(false)

  fileprivate init(of breaker: CircuitBreaker<C>, _ generation: Int, start: Int64) {
    self.breaker = breaker
    self.generation = generation
    self.start = start
  }

  deinit { end(CancellationError(), isFailure: nil) }

  /// Ends the call, unless it has ended before.
  ///
  /// - Parameters:
  ///   - error: The error of the call, for events.
  ///   - isFailure: Whether the service has failed; `nil` if the call does not tell.
  package func end(_ error: (any Error)?, isFailure: Bool?) {
    let isFirst = hasEnded.withLock { hasEnded in
      defer { hasEnded = true }
      return !hasEnded
    }
    if isFirst { breaker.finish(error, isFailure: isFailure, generation, since: start) }
  }
}

extension CircuitBreaker {
  /// Begins a call if the breaker lets it through, and throws a ``CircuitOpenError`` otherwise.
  package func begin() throws(CircuitOpenError) -> CircuitBreakerCall<C> {
    let start = now
    return CircuitBreakerCall(of: self, try admit(at: start), start: start)
  }
}
