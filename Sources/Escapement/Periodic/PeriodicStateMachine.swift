/// The decisions of a periodic task launcher.
///
/// Each start opens a new *period*. What belongs to an earlier one has no say any more, so that the
/// events of a stopped loop may come as late as they like.
struct PeriodicStateMachine<Job: Sendable, Loop: Sendable> {
  /// What the launcher was asked to do by one `start()`.
  struct Period: Sendable {
    let id: Int
    let job: Job
    /// The loop of the period before, which may still be running its last task.
    let predecessor: Loop?
  }

  private enum State {
    case idle
    /// The loop is `nil` until it has been created.
    case active(id: Int, loop: Loop?)
  }

  private var state = State.idle
  private var job: Job?
  private var lastLoop: Loop?
  private var lastID = 0

  var isActive: Bool {
    if case .active = state { true } else { false }
  }

  /// Returns `true` if the launcher has to be restarted to go on with the new job.
  mutating func set(_ job: Job) -> Bool {
    self.job = job
    return isActive
  }

  /// Returns the period to open a loop for, or `nil` if there is nothing to do.
  mutating func start() -> Period? {
    guard case .idle = state, let job else { return nil }
    lastID += 1
    state = .active(id: lastID, loop: nil)
    return Period(id: lastID, job: job, predecessor: lastLoop)
  }

  /// Keeps the loop of a period, or returns it to be cancelled if the period is over.
  mutating func started(_ loop: Loop, of id: Int) -> Loop? {
    if id == lastID { lastLoop = loop }
    guard case .active(id, _) = state else { return loop }
    state = .active(id: id, loop: loop)
    return nil
  }

  /// Returns the loop to cancel.
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

  /// The loop of a period has ended, by itself or because it was cancelled.
  mutating func ended(_ id: Int) {
    if id == lastID { lastLoop = nil }
    guard case .active(id, _) = state else { return }
    state = .idle
  }
}
