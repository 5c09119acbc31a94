import _EscapementCore

/// A clock that moves only when a test advances it.
///
/// Pass it to the code under test instead of `ContinuousClock`, and advance it:
///
/// ```swift
/// let clock = TestClock()
/// let model = TimerModel(clock: clock)
/// model.start()
/// await clock.advance(by: .seconds(5))
/// #expect(model.ticks == 5)
/// ```
///
/// - Advancing stops at every deadline on the way: it sets `now` to the deadline, and then wakes
///   the task.
/// - Tasks with equal deadlines wake in the order in which their sleeps began.
/// - Sleeps that begin while the clock advances count too, and so does a deadline at the very end.
/// - Time never moves backwards.
/// - A sleep whose deadline has been reached returns at once, as with the standard clocks.
///
/// ## When the code under test has come to rest
///
/// Before the clock wakes the next task, all consequences of the last wake-up must be done. Inside
/// a virtual-time scope (`EscapementVirtualTime`, `EscapementTesting`) the scope counts its jobs.
/// There the result is exact, whatever the load of the machine.
///
/// Outside a scope the clock uses a **heuristic**. It observes when its own sleeps begin and end,
/// and lets the executors run until nothing has happened for a while. That is right in the common
/// cases, also under load, but it is not a guarantee: the clock does not see code that works for
/// long on a file, the network or a computation. So outside a scope, wait for something definite:
/// `waitForSleepers(count:)` for a sleep that must have begun, and `await task.value` for a task
/// that must have ended.
public final class TestClock<Duration: DurationProtocol & Hashable>: Clock, Identifiable, Sendable {
  let state: Lock<TestClockStateMachine<Instant>>

  /// How many sleeps have returned to their tasks.
  let returned = Lock(0)

  /// Creates a clock whose time is an instant.
  public init(now: Instant = Instant()) {
    state = Lock(TestClockStateMachine(now: now))
  }

  /// The present time of the clock.
  public var now: Instant {
    @_specialize(where Duration == Swift.Duration)
    get { state.withLock { $0.now } }
  }

  /// The resolution that the clock reports.
  ///
  /// It has no effect on the clock.
  public var minimumResolution: Duration {
    get { state.withLock { $0.minimumResolution } }
    set { state.withLock { $0.minimumResolution = newValue } }
  }

  // Concurrent, as it is through the protocol. So a loop that ignores its cancellation suspends.
  /// Suspends until the clock has been advanced to the deadline.
  ///
  /// Returns at once if the deadline has been reached already.
  ///
  /// - Parameters:
  ///   - deadline: The instant at which the sleep ends.
  ///   - tolerance: Ignored. A test clock is never late.
  /// - Throws: `CancellationError` when the task is cancelled before the deadline is reached, or
  ///   was cancelled before the call.
  @concurrent @inline(__always)
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try await TestClockSleeps(clock: self).sleep(until: deadline)
  }
}

extension TestClock where Duration == Swift.Duration {
  /// Creates a clock whose time is zero.
  public convenience init() {
    self.init(now: Instant())
  }
}
