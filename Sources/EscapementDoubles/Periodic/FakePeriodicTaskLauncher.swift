public import Escapement
import IssueReporting
import _EscapementCore

/// A periodic task launcher that launches when the test says so, and records what it was asked.
///
/// ```swift
/// let launcher = FakePeriodicTaskLauncher()
/// let limiter = RateLimiter(rate: .seconds(1), taskLauncher: launcher)
/// limiter.execute { … }
/// await launcher.fire()
/// #expect(launcher.startCount == 1)
/// ```
///
/// It keeps the contract of the protocol: without a task it does not start.
public final class FakePeriodicTaskLauncher: PeriodicTaskLauncher {
  private struct State {
    var intervals: [Duration] = []
    var startCount = 0
    var stopCount = 0
    var isActive = false
    var task: (@Sendable () async -> Void)?
  }

  private let state = Lock(State())

  /// Creates a launcher without a task.
  public init() {}

  /// The intervals that were asked for, in the order of the calls.
  public var intervals: [Duration] { state.withLock { $0.intervals } }

  /// The number of calls of `start()`, with those that had no effect.
  public var startCount: Int { state.withLock { $0.startCount } }

  /// The number of calls of `stop()`, with those that had no effect.
  public var stopCount: Int { state.withLock { $0.stopCount } }

  /// Whether the launcher has been started and not stopped since.
  public var isActive: Bool { state.withLock { $0.isActive } }

  /// Records the interval and keeps the task.
  public func every(
    _ interval: Duration,
    @_inheritActorContext launch task: @escaping @Sendable () async -> Void
  ) {
    state.withLock {
      $0.intervals.append(interval)
      $0.task = task
    }
  }

  /// Records the call, and becomes active if there is a task.
  public func start() {
    state.withLock {
      $0.startCount += 1
      $0.isActive = $0.task != nil
    }
  }

  /// Records the call, and is not active any more.
  public func stop() {
    state.withLock {
      $0.stopCount += 1
      $0.isActive = false
    }
  }

  /// Runs the task as a tick would, and returns when it is done.
  ///
  /// A launcher that is not active does not tick: firing it is reported as an issue.
  public func fire(
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) async {
    guard let task = state.withLock({ $0.isActive ? $0.task : nil }) else {
      reportIssue(
        """
        A periodic task launcher was fired that is not active. Either the code under test has not \
        started it, or it has stopped it, or it has given it no task with every(_:launch:). \
        Check 'isActive' first if both may be right.
        """, fileID: fileID, filePath: filePath, line: line, column: column)
      return
    }
    await task()
  }
}
