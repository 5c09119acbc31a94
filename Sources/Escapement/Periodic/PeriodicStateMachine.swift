/// The decisions of a periodic task launcher.
///
/// Each start opens a new *period*. The machine ignores the events of earlier periods, so the
/// events of a stopped loop may come at any later time.
struct PeriodicStateMachine<Job: Sendable, Loop: Sendable, Instant: Sendable> {
  /// One period of work: from a `start()` to the next `stop()` or change of the job.
  struct Period: Sendable {
    let id: Int
    let job: Job
    /// The loop of the previous period, whose last run may not have ended.
    let predecessor: Loop?
  }

  private enum State {
    case idle
    /// The loop is `nil` until the launcher has created it. The ticks count anew from `restart`, if
    /// the loop has not taken it yet.
    case active(id: Int, loop: Loop?, restart: Instant?)
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
  /// If a period is open, ends it and opens the next one. Returns that period, for which the caller
  /// creates a loop, and the loop to cancel.
  mutating func set(_ job: Job) -> (ended: Loop?, begun: Period)? {
    self.job = job
    guard case .active(_, let loop, _) = state else { return nil }
    return (loop, open(job))
  }

  /// Returns the period for which the caller creates a loop, or `nil` if there is nothing to do.
  mutating func start() -> Period? {
    guard case .idle = state, let job else { return nil }
    return open(job)
  }

  private mutating func open(_ job: Job) -> Period {
    lastID += 1
    state = .active(id: lastID, loop: nil, restart: nil)
    return Period(id: lastID, job: job, predecessor: lastLoop)
  }

  /// Keeps the loop of a period.
  ///
  /// If the period is over, returns the loop for the caller to cancel.
  mutating func started(_ loop: Loop, of id: Int) -> Loop? {
    if id == lastID { lastLoop = loop }
    guard case .active(id, _, let restart) = state else { return loop }
    state = .active(id: id, loop: loop, restart: restart)
    return nil
  }

  /// Ends the period.
  ///
  /// Returns the loop for the caller to cancel.
  mutating func stop() -> Loop? {
    switch state {
    case .idle:
      return nil
    case .active(_, let loop, _):
      state = .idle
      return loop
    }
  }

  /// Lets the ticks of the open period count from an instant.
  mutating func restartInterval(at instant: Instant) {
    guard case .active(let id, let loop, _) = state else { return }
    state = .active(id: id, loop: loop, restart: instant)
  }

  /// Returns the instant from which the ticks of a period count anew, once.
  mutating func takeRestart(of id: Int) -> Instant? {
    guard case .active(id, let loop, let restart) = state else { return nil }
    state = .active(id: id, loop: loop, restart: nil)
    return restart
  }

  /// Whether a loop may run the task now.
  func mayRun(_ id: Int) -> Bool {
    if case .active(id, _, _) = state { true } else { false }
  }

  /// Ends the period after its loop has ended, by itself or by cancellation.
  mutating func ended(_ id: Int) {
    if id == lastID { lastLoop = nil }
    guard case .active(id, _, _) = state else { return }
    state = .idle
  }
}
