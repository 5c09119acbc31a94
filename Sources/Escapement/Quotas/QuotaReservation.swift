import _EscapementCore

/// Permits that will be available at a known time.
public struct QuotaReservation<C: Clock<Duration>>: Sendable {
  private let limiter: QuotaLimiter<C>
  private let clock: C
  private let id: Int?
  private let cancellation = Cancellation()

  /// The instant from which on the permits may be used.
  ///
  /// It has passed if they were available at once.
  ///
  /// The instant does not change, even if a task in front gives permits back.
  public let readyAt: C.Instant

  init(limiter: QuotaLimiter<C>, clock: C, readyAt: C.Instant, id: Int?) {
    self.limiter = limiter
    self.clock = clock
    self.readyAt = readyAt
    self.id = id
  }

  /// Suspends until the permits may be used.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before, or if the reservation is
  ///   cancelled before. Then the permits have been given back, and must not be used.
  public func wait() async throws {
    do {
      if cancellation.hasHappened { throw CancellationError() }
      try await clock.sleep(until: readyAt, tolerance: nil)
    } catch {
      cancel()
      throw error
    }
    if cancellation.hasHappened { throw CancellationError() }
  }

  /// Gives the permits back if their time has not come yet.
  ///
  /// A task that waits for the reservation throws a `CancellationError` at the end of its wait.
  /// After the time of the permits, or if they were available at once, it does nothing.
  public func cancel() {
    // Noted before the permits are given back, so that a wait that ends at this moment does not use
    // them as well.
    guard let id, cancellation.begin() else { return }
    cancellation.end(hasGivenBack: limiter.cancelReservation(id))
  }
}

/// Whether a reservation has been cancelled; its copies share it.
private final class Cancellation: Sendable {
  private let state = Lock(false)

  var hasHappened: Bool { state.withLock { $0 } }

  /// Returns `false` if the reservation has been cancelled already.
  func begin() -> Bool {
    state.withLock { isCancelled in
      defer { isCancelled = true }
      return !isCancelled
    }
  }

  func end(hasGivenBack: Bool) {
    state.withLock { $0 = hasGivenBack }
  }
}
