import _EscapementCore

/// A clock on which no sleep takes any time.
///
/// A sleep moves the clock to its deadline and returns after other tasks have had a turn. So a
/// preview or a test sees at once what would take a while:
///
/// ```swift
/// WelcomeView(clock: ImmediateClock())
/// ```
///
/// Code that never stops sleeping, such as a timer that is not stopped, would run for ever. So after
/// a number of sleeps the clock fails the test at the place where it was created, and each further
/// sleep throws ``SleepLimitError``.
public final class ImmediateClock<Duration: DurationProtocol & Hashable>: Clock, Identifiable,
  Sendable
{
  private let state: Lock<State>
  private let sleepLimit: Int
  private let location: SourceLocation

  private struct State {
    var now: Instant
    var sleeps = 0
  }

  /// Makes a clock that stands at an instant.
  ///
  /// After `sleepLimit` sleeps the clock takes the code for a loop without an end.
  public init(
    now: Instant = Instant(),
    sleepLimit: Int = 1_000_000,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    state = Lock(State(now: now))
    self.sleepLimit = sleepLimit
    location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The latest deadline anybody has slept until.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to the deadline, and returns after other tasks have had a turn.
  ///
  /// - Parameters:
  ///   - deadline: Where the clock moves; to the past it does not move.
  ///   - tolerance: Not used.
  /// - Throws: `CancellationError` when the task is cancelled; ``SleepLimitError`` when the limit
  ///   has been reached.
  public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
    try Task.checkCancellation()
    let sleeps = state.withLock { state in
      state.sleeps += 1
      if state.sleeps <= sleepLimit { state.now = max(state.now, deadline) }
      return state.sleeps
    }
    if sleeps == sleepLimit + 1 { reportLimit() }
    await Task.yield()
    if sleeps > sleepLimit { throw SleepLimitError(limit: sleepLimit) }
  }

  private func reportLimit() {
    location.reportIssue(
      """
      More than \(sleepLimit) sleeps on one immediate clock, which stands at \(now) now.

      This could mean that your feature sleeps in a loop or has a timer that was not stopped: on \
      an immediate clock that goes on for ever. From now on each sleep throws an error.

      Stop what repeats, limit it (timer(interval:).prefix(10)), or use a test clock. If so many \
      sleeps are meant, make the clock with a larger 'sleepLimit'.
      """)
  }
}

extension ImmediateClock where Duration == Swift.Duration {
  /// Makes a clock that stands at zero.
  public convenience init(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    self.init(now: Instant(), fileID: fileID, filePath: filePath, line: line, column: column)
  }
}

extension Clock where Self == ImmediateClock<Swift.Duration> {
  /// A clock on which no sleep takes any time.
  ///
  /// Each use makes another clock.
  public static var immediate: Self {
    ImmediateClock()
  }
}

/// There were more sleeps on an ``ImmediateClock`` than it allows.
public struct SleepLimitError: Error, Hashable, CustomStringConvertible {
  /// How many it allows.
  public let limit: Int

  /// What happened.
  public var description: String { "More than \(limit) sleeps on one immediate clock." }
}
