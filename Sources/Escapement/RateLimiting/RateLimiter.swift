import EscapementClocks
import _EscapementCore

/// Runs actions at most once per interval, and never forgets the last one.
///
/// ```swift
/// let limiter = RateLimiter(rate: .milliseconds(500))
/// func textDidChange() { limiter.execute { self.search() } }
/// ```
///
/// The first action runs at once, before `execute` returns. Of those that come before the interval
/// is over only the newest is kept; it runs when the interval ends, and a new interval begins. When
/// an interval ends and nothing has been kept, the limiter is quiescent, and the next action again
/// runs at once.
///
/// - An action runs on the actor that its closure was written on. If `execute` is called from
///   there, or the closure belongs to no actor, the first one runs without a hop.
/// - A kept action that has to wait for a busy actor can still be replaced: the newest one runs.
/// - A limiter that is released drops the action it keeps; call `flush()` before if it matters.
///
/// To limit how often callers *may* do something, and refuse or delay the others, see
/// ``QuotaLimiter``.
public final class RateLimiter: Sendable {
  private let launcher: any PeriodicTaskLauncher
  private let isUnlimited: Bool
  private let state = Lock(RateLimiterStateMachine<Action>())

  /// Creates a quiescent limiter.
  ///
  /// A rate that is not positive is reported as an issue, and nothing is limited.
  ///
  /// - Parameters:
  ///   - rate: The interval in which at most one action runs.
  ///   - taskLauncher: What tells when an interval is over. It must not be used for anything else.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line, where an issue is reported.
  ///   - column: The caller's column.
  public init(
    rate: Duration,
    taskLauncher: any PeriodicTaskLauncher,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    launcher = taskLauncher
    isUnlimited = rate <= .zero
    guard !isUnlimited else {
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column).report(
        InvalidArgumentError("rate", rate, mustBe: "a positive interval"),
        consequence: "This limiter runs every action at once.")
      return
    }
    launcher.every(rate) { [weak self] in await self?.tick() }
  }

  /// Creates a quiescent limiter that waits with a clock.
  ///
  /// A rate that is not positive is reported as an issue, and nothing is limited.
  ///
  /// - Parameters:
  ///   - rate: The interval in which at most one action runs.
  ///   - clock: The clock that measures the interval.
  ///   - fileID: The caller's file.
  ///   - filePath: The caller's path.
  ///   - line: The caller's line, where an issue is reported.
  ///   - column: The caller's column.
  public convenience init<C: Clock<Duration>>(
    rate: Duration,
    clock: C = ContinuousClock(),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    // After a late tick the next one must not come early.
    let launcher = DefaultPeriodicTaskLauncher(clock: clock, missed: .delay)
    self.init(
      rate: rate, taskLauncher: launcher,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  deinit {
    launcher.stop()
  }

  /// Runs the action now if the limiter is quiescent, and else keeps it in the place of the one
  /// before.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller; leave it out.
  ///   - action: What is to be done; it runs on the actor that it was written on.
  public func execute(
    isolation: isolated (any Actor)? = #isolation,
    @_inheritActorContext _ action: @escaping @Sendable @isolated(any) () -> Void
  ) {
    let action = Action(action)
    guard !isUnlimited else { return action.start(from: isolation) {} }
    state.withLock { $0.execute(action) }?.start(from: isolation) { [self] in
      state.withLock { $0.didRun() }
      callLauncher()
    }
  }

  /// Runs the kept action now, and begins a new interval; does nothing if none is kept.
  ///
  /// - Parameter isolation: The actor of the caller; leave it out.
  public func flush(isolation: isolated (any Actor)? = #isolation) {
    state.withLock { $0.flush() }?.start(from: isolation) {}
    callLauncher()
  }

  /// Drops the kept action.
  ///
  /// The interval goes on, so that an action does not run sooner for it. When it has been called on
  /// the actor that the action runs on, the action does not run any more.
  public func cancel() {
    state.withLock { $0.cancel() }
  }

  private func tick() async {
    // A tick that was on its way when the launcher was stopped belongs to no interval.
    state.withLock { if !Task.isCancelled { $0.tick() } }
    callLauncher()
    // Usually once; again if the action has meanwhile been replaced by one of another actor.
    while let action = state.withLock({ $0.due }) { await runDue(on: action.isolation) }
  }

  private func runDue(on isolation: isolated (any Actor)?) {
    state.withLock { $0.takeDue { $0.canRun(on: isolation) } }?.run(on: isolation)
  }

  private func callLauncher() {
    while let call = state.withLock({ $0.launcher.beginCall() }) {
      switch call {
      case .start: launcher.start()
      case .stop: launcher.stop()
      }
      state.withLock { $0.launcher.endCall() }
    }
  }
}
