import _EscapementCore

/// A clock that stands, and records with which tolerances it is slept on.
final class RecordingClock: Clock, Sendable {
  typealias Instant = ContinuousClock.Instant

  private let recorded = Lock<[Duration?]>([])

  let now = ContinuousClock.now
  var minimumResolution: Duration { .zero }
  var tolerances: [Duration?] { recorded.withLock { $0 } }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    recorded.withLock { $0.append(tolerance) }
    throw CancellationError()
  }
}
