/// Permits that will be there at a known time.
public struct QuotaReservation<C: Clock<Duration>>: Sendable {
  private let limiter: QuotaLimiter<C>
  private let clock: C
  private let id: Int?

  /// When the permits may be used; now or earlier if they have been there at once.
  ///
  /// It is a promise: if somebody in front gives permits back, they are kept until this time.
  public let readyAt: C.Instant

  init(limiter: QuotaLimiter<C>, clock: C, readyAt: C.Instant, id: Int?) {
    self.limiter = limiter
    self.clock = clock
    self.readyAt = readyAt
    self.id = id
  }

  /// Suspends until the permits may be used.
  ///
  /// - Throws: `CancellationError` when the task is cancelled before; then the permits have been
  ///   given back.
  public func wait() async throws {
    do {
      try await clock.sleep(until: readyAt, tolerance: nil)
    } catch {
      cancel()
      throw error
    }
  }

  /// Gives the permits back, if they are not ready yet.
  public func cancel() {
    if let id { limiter.cancelReservation(id) }
  }
}
