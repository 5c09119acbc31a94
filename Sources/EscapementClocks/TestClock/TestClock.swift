import _EscapementCore

/// A clock whose time moves only when a test says so.
///
/// Give it to the code under test in the place of `ContinuousClock`, and advance it:
///
/// ```swift
/// let clock = TestClock()
/// let model = TimerModel(clock: clock)
/// model.start()
/// await clock.advance(by: .seconds(5))
/// #expect(model.ticks == 5)
/// ```
///
/// Time visits every deadline on the way, is set to it before anyone wakes, wakes equal deadlines
/// in the order in which their sleeps began, honours the sleeps that begin meanwhile, and includes
/// the end. It never goes backwards. A sleep whose deadline has been reached returns at once, as
/// with the standard clocks.
///
/// ## When code under test has come to rest
///
/// Before a clock wakes the next sleeper, all that follows from the one before must be done. Inside
/// a virtual-time scope (`EscapementVirtualTime`, `EscapementTesting`) this is counted, so that the
/// result is exact whatever the load of the machine.
///
/// Outside a scope it is a **heuristic**: the clock watches its own sleeps begin and end, and lets
/// the executors run until nothing has happened for a while. That is right in the common cases,
/// under load too, but it is not a proof: code that is away for long, in a file, the network or a
/// computation, is not seen. There, wait for what you know: `waitForSleepers(count:)` for a sleep
/// that must have begun, and `await task.value` for a task that must have ended.
public final class TestClock<Duration: DurationProtocol & Hashable>: Clock, Identifiable, Sendable {
  let state: Lock<TestClockState<Instant>>

  /// How many sleeps have returned to their tasks.
  let returned = Lock(0)

  /// Makes a clock that stands at an instant.
  public init(now: Instant = Instant()) {
    state = Lock(TestClockState(now: now))
  }

  /// Where time stands.
  public var now: Instant {
    @_specialize(where Duration == Swift.Duration)
    get { state.withLock { $0.now } }
  }

  /// What the clock claims to be its resolution; it has no effect on the clock.
  public var minimumResolution: Duration {
    get { state.withLock { $0.minimumResolution } }
    set { state.withLock { $0.minimumResolution = newValue } }
  }

  // Concurrent, as it is through the protocol: a loop that ignores its cancellation then suspends.
  /// Suspends until the clock has been advanced to the deadline.
  ///
  /// Returns at once if the deadline has been reached before.
  ///
  /// - Parameters:
  ///   - deadline: When the sleep ends.
  ///   - tolerance: Not used: a test clock is never late.
  /// - Throws: `CancellationError` when the task is cancelled before the deadline is reached, also
  ///   when it was cancelled before the call.
  @concurrent @inline(__always)
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await TestClockSleeps(clock: self).sleep(until: deadline)
  }
}

extension TestClock where Duration == Swift.Duration {
  /// Makes a clock that stands at zero.
  public convenience init() {
    self.init(now: Instant())
  }
}
