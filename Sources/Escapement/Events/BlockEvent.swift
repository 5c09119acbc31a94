/// A decision that a block has just made about a call.
///
/// A limiter, breaker, throttle, lease, periodic task, hedged call or injector of faults tells it to
/// the closure `onEvent`, for metrics, logs and tests:
///
/// ```swift
/// let limiter = try ConcurrencyLimiter(.fixed(8), onEvent: { print($0) })
/// ```
///
/// - Each call is told of in the order of the cases. A call that `waits` then has `waited`. It has
///   `begun` or was `granted` permits; or it was `refused`, or has `left`. One that has `begun` has
///   `ended` later.
/// - The closure is called on the task of the call, outside of all locks. So the events of calls
///   that run side by side may overtake each other.
/// - An argument that is not valid is no event.
public enum BlockEvent: Sendable {
  /// The call waits for its turn, its permits or its lease.
  case waits
  /// The call does not wait any more; it has waited for this time.
  case waited(Duration)
  /// The run of a periodic task begins; it was due this time ago.
  case late(Duration)
  /// The operation of the call begins.
  case begun
  /// The operation of the call has ended, with this error if it has thrown one.
  case ended((any Error)?)
  /// The call has got this number of permits of a quota.
  case granted(Int)
  /// The call is not performed, and its caller gets this error.
  ///
  /// For `tryAcquire`, which returns a ``QuotaDecision``, it is a
  /// ``QuotaError/deadlineUnreachable(retryAfter:)``.
  case refused(any Error)
  /// The call is not performed because its task was cancelled, or because another replica has
  /// performed the run.
  case left
  /// A further attempt of a hedged call begins, with this number.
  case hedged(attempt: Int)
  /// The call gets this fault on purpose, which ``FaultInjector`` has drawn.
  case injected(InjectedFault)
  /// The lease of the call was lost; the operation of the call is cancelled, if it still runs.
  case lost
  /// A circuit breaker has changed its state.
  case changed(CircuitState)
  /// A shared store has not made a decision, for this reason.
  case storeFailed(any Error)
}
