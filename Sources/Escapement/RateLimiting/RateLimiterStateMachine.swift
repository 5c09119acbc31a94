/// The decisions of a rate limiter.
struct RateLimiterStateMachine<Action> {
  private enum State {
    /// No action has run for at least an interval. The launcher is stopped, or is about to be.
    case quiescent
    /// An action has run in this interval. If `isDue`, the interval is over, and the kept action
    /// waits for its actor.
    case limiting(kept: Action?, isDue: Bool)
  }

  private var state = State.quiescent
  /// The calls of the launcher that have not been made yet.
  var launcher = LauncherRequests()

  /// Returns the action if it runs now, or keeps it in place of the previous one.
  mutating func execute(_ action: Action) -> Action? {
    switch state {
    case .quiescent:
      state = .limiting(kept: nil, isDue: false)
      return action
    case .limiting(_, let isDue):
      state = .limiting(kept: action, isDue: isDue)
      return nil
    }
  }

  /// Begins an interval, after the first action has run.
  mutating func didRun() {
    launcher.requestStart()
  }

  /// Begins the interval anew, after a due action has run.
  ///
  /// A busy actor may have delayed the run, so the interval counts from the run and not from the
  /// tick.
  mutating func didRunDue() {
    launcher.requestIntervalRestart()
  }

  /// Begins an interval, after an action that was flushed has run.
  mutating func didFlush() {
    launcher.requestRestart()
  }

  /// Ends an interval.
  mutating func tick() {
    switch state {
    case .quiescent:
      // The tick was already running when the launcher was stopped.
      return
    case .limiting(nil, _):
      state = .quiescent
      launcher.requestStop()
    case .limiting(let kept?, _):
      state = .limiting(kept: kept, isDue: true)
    }
  }

  /// The kept action, if the interval is over and the action has not been taken since.
  var due: Action? {
    switch state {
    case .quiescent, .limiting(_, isDue: false): nil
    case .limiting(let kept, isDue: true): kept
    }
  }

  /// Takes the due action if it can run on the actor of the caller.
  mutating func takeDue(ifPossible canRun: (Action) -> Bool) -> Action? {
    guard let due, canRun(due) else { return nil }
    state = .limiting(kept: nil, isDue: false)
    return due
  }

  /// Takes the kept action before the interval is over.
  ///
  /// No tick comes until it has run.
  mutating func flush() -> Action? {
    switch state {
    case .quiescent, .limiting(nil, _):
      return nil
    case .limiting(let kept?, _):
      state = .limiting(kept: nil, isDue: false)
      launcher.requestStop()
      return kept
    }
  }

  /// Drops the kept action.
  ///
  /// The interval goes on.
  mutating func cancel() {
    switch state {
    case .quiescent:
      return
    case .limiting:
      state = .limiting(kept: nil, isDue: false)
    }
  }
}

/// The calls of the launcher that have not been made yet.
///
/// The limiter does not call the launcher under its lock. So two threads could make their calls in
/// another order than their decisions. Therefore a thread notes its request under the lock, and one
/// thread at a time makes all calls.
struct LauncherRequests {
  enum Call {
    case stop, start, restartInterval
  }

  private var stop = false
  private var start = false
  private var restartInterval = false
  private var isCalling = false

  mutating func requestStart() { start = true }

  mutating func requestStop() { (stop, start, restartInterval) = (true, false, false) }

  mutating func requestRestart() { (stop, start, restartInterval) = (true, true, false) }

  mutating func requestIntervalRestart() { restartInterval = true }

  /// The next call to make, or `nil` if there is none or another thread makes the calls.
  mutating func beginCall() -> Call? {
    guard !isCalling, stop || start || restartInterval else { return nil }
    isCalling = true
    if stop {
      stop = false
      return .stop
    }
    if start {
      start = false
      return .start
    }
    restartInterval = false
    return .restartInterval
  }

  mutating func endCall() { isCalling = false }
}
