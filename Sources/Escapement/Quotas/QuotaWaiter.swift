/// A task that waits for permits.
///
/// Unchecked because the lock of the limiter guards all its state.
final class QuotaWaiter: @unchecked Sendable {
  enum Outcome {
    case granted, cancelled
    /// The quota has been replaced by one that never grants so many permits.
    case refused(QuotaError)
  }

  private var outcome: Outcome?
  private var continuation: UnsafeContinuation<Outcome, Never>?

  /// Keeps the continuation, or returns the outcome if the wait has ended already.
  func suspend(_ continuation: UnsafeContinuation<Outcome, Never>) -> Outcome? {
    if outcome == nil { self.continuation = continuation }
    return outcome
  }

  /// Ends the wait.
  ///
  /// Returns the continuation to resume, if the task has suspended.
  func end(_ outcome: Outcome) -> UnsafeContinuation<Outcome, Never>? {
    self.outcome = outcome
    return continuation
  }
}
