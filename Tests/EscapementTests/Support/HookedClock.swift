import EscapementClocks
import _EscapementCore

/// A test clock that calls a test when it is read, as another thread may do at that moment.
struct HookedClock: Clock {
  typealias Instant = TestClock<Duration>.Instant

  private final class Hook: Sendable {
    let body = Lock<(@Sendable () -> Void)?>(nil)
  }

  private let clock: TestClock<Duration>
  private let hook = Hook()

  init(_ clock: TestClock<Duration>) { self.clock = clock }

  /// Calls a closure when the clock is read the next time.
  func hookNow(_ body: @escaping @Sendable () -> Void) {
    hook.body.withLock { $0 = body }
  }

  var now: Instant {
    hook.body.withLock { $0.take() }?()
    return clock.now
  }

  var minimumResolution: Duration { clock.minimumResolution }

  func sleep(until deadline: Instant, tolerance: Duration?) async throws {
    try await clock.sleep(until: deadline, tolerance: tolerance)
  }
}
