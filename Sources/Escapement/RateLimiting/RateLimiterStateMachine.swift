/// The decisions of a rate limiter.
struct RateLimiterStateMachine<Action> {
  private enum State {
    /// Nothing has run for an interval at least; the launcher is stopped, or is about to be.
    case quiescent
    /// Something has run in this interval. `isDue`: the interval is over, and the kept action is on
    /// its way to the actor that it has to run on.
    case limiting(kept: Action?, isDue: Bool)
  }

  private var state = State.quiescent
  /// What the launcher has been asked to do.
  var launcher = LauncherRequests()

  /// Returns the action if it is to run now, or keeps it in the place of the one before.
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

  /// Begins an interval: the action that was to run now has run.
  mutating func didRun() {
    launcher.requestStart()
  }

  /// Ends an interval.
  mutating func tick() {
    switch state {
    case .quiescent:
      // The tick was on its way when the launcher was stopped.
      return
    case .limiting(nil, _):
      state = .quiescent
      launcher.requestStop()
    case .limiting(let kept?, _):
      state = .limiting(kept: kept, isDue: true)
    }
  }

  /// The newest action, if an interval has ended and the action has not been taken since.
  var due: Action? {
    switch state {
    case .quiescent, .limiting(_, isDue: false): nil
    case .limiting(let kept, isDue: true): kept
    }
  }

  /// Takes the due action, if it is still one that can run here.
  mutating func takeDue(ifPossible canRun: (Action) -> Bool) -> Action? {
    guard let due, canRun(due) else { return nil }
    state = .limiting(kept: nil, isDue: false)
    return due
  }

  /// Takes the kept action before its time, and begins a new interval.
  mutating func flush() -> Action? {
    switch state {
    case .quiescent, .limiting(nil, _):
      return nil
    case .limiting(let kept?, _):
      state = .limiting(kept: nil, isDue: false)
      launcher.requestRestart()
      return kept
    }
  }

  /// Drops the kept action; the interval goes on.
  mutating func cancel() {
    switch state {
    case .quiescent:
      return
    case .limiting:
      state = .limiting(kept: nil, isDue: false)
    }
  }
}

/// Starts and stops that the launcher has yet to be told.
///
/// The launcher is not called under the lock, so that two callers could overtake each other between
/// the decision and the call. Therefore requests are noted under the lock, and whoever comes first
/// makes the calls, one at a time.
struct LauncherRequests {
  enum Call {
    case stop, start
  }

  private var stop = false
  private var start = false
  private var isCalling = false

  mutating func requestStart() { start = true }

  mutating func requestStop() { (stop, start) = (true, false) }

  mutating func requestRestart() { (stop, start) = (true, true) }

  /// The next call to make, or `nil` if there is none or somebody else makes it.
  mutating func beginCall() -> Call? {
    guard !isCalling, stop || start else { return nil }
    isCalling = true
    if stop {
      stop = false
      return .stop
    }
    start = false
    return .start
  }

  mutating func endCall() { isCalling = false }
}
