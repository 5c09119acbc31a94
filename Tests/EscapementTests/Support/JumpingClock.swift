import EscapementClocks
import _EscapementCore

/// A clock that jumps to the deadline of each sleep, for loops too long for a test clock.
final class JumpingClock: Clock {
  typealias Instant = TestClock<Duration>.Instant

  private let time = Lock(Instant())

  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try Task.checkCancellation()
    time.withLock { $0 = max($0, deadline) }
  }
}
