/// A type-erased clock.
///
/// Use it where a function takes `some Clock` and you have an `any Clock<Duration>`. Its time is
/// that of the wrapped clock, counted from the moment of wrapping.
public final class AnyClock<Duration: DurationProtocol & Hashable>: Clock, Identifiable, Sendable {
  private let offset: @Sendable () -> Duration
  private let resolution: @Sendable () -> Duration
  private let sleep: @Sendable (_ offset: Duration, _ tolerance: Duration?) async throws -> Void

  /// Wraps a clock.
  public init<C: Clock>(_ clock: C) where C.Instant.Duration == Duration {
    let start = clock.now
    offset = { start.duration(to: clock.now) }
    resolution = { clock.minimumResolution }
    sleep = { try await clock.sleep(until: start.advanced(by: $0), tolerance: $1) }
  }

  /// The time of the wrapped clock, counted from the moment of wrapping.
  public var now: Instant { Instant(offset: offset()) }

  /// The resolution of the wrapped clock.
  public var minimumResolution: Duration { resolution() }

  /// Sleeps on the wrapped clock.
  ///
  /// - Throws: The error of the wrapped clock: `CancellationError` when the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await sleep(deadline.offset, tolerance)
  }
}
