import EscapementClocks
import _EscapementCore

/// Runs at most one action per interval, and always the last one (others call this a throttle).
///
/// ```swift
/// let limiter = RateLimiter(rate: .milliseconds(500))
/// func textDidChange() { limiter.execute { self.search() } }
/// ```
///
/// The first action runs at once, before `execute` returns. Of the actions that come before the
/// interval is over, the limiter keeps only the newest. It runs the kept action when the interval
/// ends, and a new interval begins with the run. When an interval ends without a kept action, the
/// limiter is quiescent. Then the next action runs at once again.
///
/// - An action runs on the actor on which its closure was written. If `execute` is called there, or
///   the closure has no actor, the first action runs without a hop.
/// - While a kept action waits for a busy actor, a newer action still replaces it. The interval
///   counts from the run, however late that is.
/// - A limiter that is released drops its kept action. To run it, call `flush()` before.
///
/// To refuse or delay callers that ask too often, use ``QuotaLimiter``.
public final class RateLimiter: Sendable {
  private let launcher: any PeriodicTaskLauncher
  private let isUnlimited: Bool
  private let state = Lock(RateLimiterStateMachine<Action>())
  private let started = ActionQueue()

  /// Creates a quiescent limiter.
  ///
  /// If the rate is not positive, the initializer reports an issue, and the limiter runs every
  /// action at once.
  ///
  /// - `rate`: The interval in which at most one action runs.
  /// - `taskLauncher`: The launcher that fires when an interval is over. It must not be used for
  ///   anything else. After an action that a busy actor has delayed, the interval counts from the
  ///   run if the launcher implements ``PeriodicTaskLauncher/restartInterval()``.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
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
    launcher.every(rate) { [weak self] in
      self?.tick()
      // The loop usually runs once. It runs again if an action of another actor has replaced this
      // one. While the action waits for a busy actor, the limiter may be released.
      while let action = self?.dueAction {
        await Self.runDue(on: action.isolation) { [weak self] in self }
      }
      self?.callLauncher()
    }
  }

  /// Creates a quiescent limiter that waits with a clock.
  ///
  /// If the rate is not positive, the initializer reports an issue, and the limiter runs every
  /// action at once.
  ///
  /// - `rate`: The interval in which at most one action runs.
  /// - `clock`: The clock that measures the interval.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public convenience init<C: Clock<Duration>>(
    rate: Duration,
    clock: C = ContinuousClock(),
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    // With `.delay`, the tick after a late one is a full interval later.
    let launcher = DefaultPeriodicTaskLauncher(clock: clock, missed: .delay)
    self.init(
      rate: rate, taskLauncher: launcher,
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  deinit {
    launcher.stop()
  }

  /// Runs the action now if the limiter is quiescent, and otherwise keeps the action in place of
  /// the previous one.
  ///
  /// - Parameters:
  ///   - isolation: The actor of the caller. Omit this argument.
  ///   - action: The action. It runs on the actor on which its closure was written.
  public func execute(
    isolation: isolated (any Actor)? = #isolation,
    @_inheritActorContext _ action: @escaping @Sendable @isolated(any) () -> Void
  ) {
    let action = Action(action)
    guard !isUnlimited else { return started.start(action, from: isolation) }
    guard let first = state.withLock({ $0.execute(action) }) else { return }
    started.start(first, from: isolation) { [self] in
      state.withLock { $0.didRun() }
      callLauncher()
    }
  }

  /// Runs the kept action now, and begins a new interval.
  ///
  /// Without a kept action it does nothing.
  ///
  /// - Parameter isolation: The actor of the caller. Omit this argument.
  public func flush(isolation: isolated (any Actor)? = #isolation) {
    if let kept = state.withLock({ $0.flush() }) {
      started.start(kept, from: isolation) { [self] in
        state.withLock { $0.didFlush() }
        callLauncher()
      }
    }
    callLauncher()
  }

  /// Drops the kept action.
  ///
  /// The interval goes on, so the next action does not run sooner. If `cancel()` is called on the
  /// actor of the action, the action does not run after the call.
  public func cancel() {
    state.withLock { $0.cancel() }
  }

  private func tick() {
    // A cancelled tick belongs to no interval: it was already running when the launcher was
    // stopped.
    state.withLock { if !Task.isCancelled { $0.tick() } }
    callLauncher()
  }

  private var dueAction: Action? { state.withLock(\.due) }

  private static func runDue(
    on isolation: isolated (any Actor)?, of limiter: @Sendable () -> RateLimiter?
  ) {
    limiter()?.runDue(on: isolation)
  }

  private func runDue(on isolation: isolated (any Actor)?) {
    guard let action = state.withLock({ $0.takeDue { $0.canRun(on: isolation) } }) else { return }
    action.run(on: isolation)
    state.withLock { $0.didRunDue() }
  }

  private func callLauncher() {
    while let call = state.withLock({ $0.launcher.beginCall() }) {
      switch call {
      case .start: launcher.start()
      case .stop: launcher.stop()
      case .restartInterval: launcher.restartInterval()
      }
      state.withLock { $0.launcher.endCall() }
    }
  }
}
