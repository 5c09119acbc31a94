/// Permits that will be available at a known time.
public struct QuotaReservation<C: Clock<Duration>>: Sendable {
  private let limiter: QuotaLimiter<C>
  private let clock: C
  private let id: Int?

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
  /// - Throws: `CancellationError` when the task is cancelled before. Then the permits have been given
  ///   back.
  public func wait() async throws {
    do {
      try await clock.sleep(until: readyAt, tolerance: nil)
    } catch {
      cancel()
      throw error
    }
  }

  /// Gives the permits back if their time has not come yet.
  public func cancel() {
    if let id { limiter.cancelReservation(id) }
  }
}
