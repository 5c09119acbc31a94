/// The decisions of a periodic task launcher.
///
/// Each start opens a new *period*. The machine ignores the events of earlier periods, so the events
/// of a stopped loop may come at any later time.
struct PeriodicStateMachine<Job: Sendable, Loop: Sendable> {
  /// What the launcher does from one `start()` to the next `stop()`.
  struct Period: Sendable {
    let id: Int
    let job: Job
    /// The loop of the previous period, whose last run may not have ended.
    let predecessor: Loop?
  }

  private enum State {
    case idle
    /// The loop is `nil` until the launcher has created it.
    case active(id: Int, loop: Loop?)
  }

  private var state = State.idle
  private var job: Job?
  private var lastLoop: Loop?
  private var lastID = 0

  var isActive: Bool {
    if case .active = state { true } else { false }
  }

  /// Sets the job.
  ///
  /// Returns `true` if the caller has to restart the launcher.
  mutating func set(_ job: Job) -> Bool {
    self.job = job
    return isActive
  }

  /// Returns the period for which the caller creates a loop, or `nil` if there is nothing to do.
  mutating func start() -> Period? {
    guard case .idle = state, let job else { return nil }
    lastID += 1
    state = .active(id: lastID, loop: nil)
    return Period(id: lastID, job: job, predecessor: lastLoop)
  }

  /// Keeps the loop of a period.
  ///
  /// If the period is over, returns the loop for the caller to cancel.
  mutating func started(_ loop: Loop, of id: Int) -> Loop? {
    if id == lastID { lastLoop = loop }
    guard case .active(id, _) = state else { return loop }
    state = .active(id: id, loop: loop)
    return nil
  }

  /// Ends the period.
  ///
  /// Returns the loop for the caller to cancel.
  mutating func stop() -> Loop? {
    switch state {
    case .idle:
      return nil
    case .active(_, let loop):
      state = .idle
      return loop
    }
  }

  /// Whether a loop may run the task now.
  func mayRun(_ id: Int) -> Bool {
    if case .active(id, _) = state { true } else { false }
  }

  /// Ends the period after its loop has ended, by itself or by cancellation.
  mutating func ended(_ id: Int) {
    if id == lastID { lastLoop = nil }
    guard case .active(id, _) = state else { return }
    state = .idle
  }
}
