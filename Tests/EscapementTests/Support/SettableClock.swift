import EscapementClocks
import _EscapementCore

/// A clock that a test sets, also back.
final class SettableClock: Clock {
  typealias Instant = TestClock<Duration>.Instant

  private let time = Lock(Instant())

  var now: Instant { time.withLock { $0 } }
  var minimumResolution: Duration { .nanoseconds(1) }

  func set(_ offset: Duration) {
    time.withLock { $0 = Instant(offset: offset) }
  }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    preconditionFailure("No test sleeps on this clock.")
  }
}
