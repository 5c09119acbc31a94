import _EscapementCore

/// A clock whose sleeps take no time.
///
/// A sleep moves the clock to its deadline, yields to other tasks, and returns. So a preview or a
/// test shows at once what would otherwise take a while:
///
/// ```swift
/// WelcomeView(clock: ImmediateClock())
/// ```
///
/// Code that sleeps in an endless loop, such as a timer that is not stopped, would run for ever. So
/// the number of sleeps is limited. Beyond the limit the clock fails the test at the line that
/// created the clock, and each further sleep throws ``SleepLimitError``.
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

  /// Creates a clock whose time is an instant.
  ///
  /// - `now`: The time of the clock before the first sleep.
  /// - `sleepLimit`: The number of sleeps after which the clock considers the code an endless loop.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
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

  /// The latest deadline of the sleeps so far.
  public var now: Instant { state.withLock { $0.now } }

  /// Zero.
  public var minimumResolution: Duration { .zero }

  /// Moves the clock to the deadline, yields to other tasks, and returns.
  ///
  /// - Parameters:
  ///   - deadline: The new time of the clock. The clock does not move to a deadline in the past.
  ///   - tolerance: Ignored.
  /// - Throws: `CancellationError` if the task was cancelled before the call; ``SleepLimitError``
  ///   beyond the limit.
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
      More than \(sleepLimit) sleeps on one immediate clock. Its time is now \(now).

      The code under test may sleep in a loop, or may not have stopped a timer. On an immediate \
      clock that goes on for ever. From now on each sleep throws an error.

      Stop what repeats, limit it (timer(interval:).prefix(10)), or use a test clock. If the code \
      needs that many sleeps, pass a larger 'sleepLimit' to the clock.
      """)
  }
}

extension ImmediateClock where Duration == Swift.Duration {
  /// Creates a clock whose time is zero.
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
  /// A new clock whose sleeps take no time.
  ///
  /// Each use creates another clock.
  public static var immediate: Self {
    ImmediateClock()
  }
}

/// Code has slept on an ``ImmediateClock`` more often than its limit allows.
public struct SleepLimitError: Error, Hashable, CustomStringConvertible {
  /// The number of sleeps that the clock allows.
  public let limit: Int

  /// The message.
  public var description: String { "More than \(limit) sleeps on one immediate clock." }
}
