public import Escapement
import IssueReporting
import _EscapementCore

/// A periodic task launcher whose ticks come from the test, and which records the calls it
/// receives.
///
/// ```swift
/// let launcher = FakePeriodicTaskLauncher()
/// let limiter = RateLimiter(rate: .seconds(1), taskLauncher: launcher)
/// limiter.execute { … }
/// await launcher.fire()
/// #expect(launcher.startCount == 1)
/// ```
///
/// It is a fake: it keeps the contract of the protocol, such as not to start without a task, but
/// has no clock. `fire()` stands for a tick.
public final class FakePeriodicTaskLauncher: PeriodicTaskLauncher {
  private struct State {
    var intervals: [Duration] = []
    var schedules: [Schedule] = []
    var startCount = 0
    var stopCount = 0
    var isActive = false
    var task: (@Sendable (WallClock.Instant) async -> Void)?
  }

  private let state = Lock(State())
  private let callSite: SourceLocation

  /// Creates a launcher without a task.
  ///
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    callSite = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// The intervals of all calls of `every(_:launch:)`, in the order of the calls.
  public var intervals: [Duration] { state.withLock { $0.intervals } }

  /// The schedules of all calls of `on(_:missed:launch:)`, in the order of the calls.
  public var schedules: [Schedule] { state.withLock { $0.schedules } }

  /// The number of calls of `start()`, including calls that had no effect.
  public var startCount: Int { state.withLock { $0.startCount } }

  /// The number of calls of `stop()`, including calls that had no effect.
  public var stopCount: Int { state.withLock { $0.stopCount } }

  /// Whether the launcher has been started and not stopped since.
  public var isActive: Bool { state.withLock { $0.isActive } }

  /// Records the interval and keeps the task.
  ///
  /// If the interval is not positive, the launcher reports an issue at the line that created it,
  /// and does not change, as `DefaultPeriodicTaskLauncher` does.
  public func every(
    _ interval: Duration,
    @_inheritActorContext launch task: @escaping @Sendable @isolated(any) () async -> Void
  ) {
    guard interval > .zero else {
      callSite.report(
        InvalidArgumentError("interval", interval, mustBe: "positive"),
        consequence: "This launcher ignores the task that was passed with the interval.")
      return
    }
    state.withLock {
      $0.intervals.append(interval)
      $0.task = { _ in await task() }
    }
  }

  /// Records the schedule and keeps the task.
  public func on(
    _ schedule: Schedule,
    missed: MissedRuns,
    @_inheritActorContext launch task:
      @escaping @Sendable @isolated(any) (WallClock.Instant) async -> Void
  ) {
    state.withLock {
      $0.schedules.append(schedule)
      $0.task = { await task($0) }
    }
  }

  /// Records the call.
  ///
  /// The launcher becomes active if it has a task.
  public func start() {
    state.withLock {
      $0.startCount += 1
      $0.isActive = $0.task != nil
    }
  }

  /// Records the call.
  ///
  /// The launcher is not active afterwards.
  public func stop() {
    state.withLock {
      $0.stopCount += 1
      $0.isActive = false
    }
  }

  /// Runs the task as a tick would, and returns when it is done.
  ///
  /// A launcher that is not active does not tick: firing it fails the test.
  ///
  /// - `run`: The instant that a task with a schedule gets; by default now.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public func fire(
    _ run: WallClock.Instant = WallClock().now,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    guard let task = state.withLock({ $0.isActive ? $0.task : nil }) else {
      reportIssue(
        """
        A periodic task launcher was fired although it is not active. Nothing has run.

        The code under test may not have started the launcher, may have stopped it, or may not have \
        given it a task with 'every(_:launch:)' or 'on(_:missed:launch:)'. If an inactive launcher is right here, check \
        'isActive' before firing.
        """, fileID: fileID, filePath: filePath, line: line, column: column)
      return
    }
    await task(run)
  }
}
