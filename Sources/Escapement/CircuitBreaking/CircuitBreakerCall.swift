import _EscapementCore

/// A call that outlives the function in which it began, such as one that streams its answer.
///
/// A call that is dropped before its end does not count, and gives the place of a probe back.
package final class CircuitBreakerCall<C: Clock<Duration>>: Sendable {
  private let breaker: CircuitBreaker<C>
  private let generation: Int
  /// When the call has begun; `nil` after its end.
  private let start: Lock<Int64?>

  fileprivate init(of breaker: CircuitBreaker<C>, _ generation: Int, start: Int64) {
    self.breaker = breaker
    self.generation = generation
    self.start = Lock(start)
  }

  deinit { end(CancellationError(), isFailure: nil) }

  /// Counts the time of the call from now, after it has waited for something else.
  package func restart() {
    let now = breaker.now
    start.withLock { if $0 != nil { $0 = now } }
  }

  /// Ends the call, unless it has ended before.
  ///
  /// - Parameters:
  ///   - error: The error of the call, for events.
  ///   - isFailure: Whether the service has failed; `nil` if the call does not tell.
  package func end(_ error: (any Error)?, isFailure: Bool?) {
    guard let start = start.withLock({ $0.take() }) else { return }
    breaker.finish(error, isFailure: isFailure, generation, since: start)
  }
}

extension CircuitBreaker {
  /// Begins a call if the breaker lets it through.
  package func begin() throws(CircuitOpenError) -> CircuitBreakerCall<C> {
    let (generation, start) = try admit()
    return CircuitBreakerCall(of: self, generation, start: start)
  }
}
