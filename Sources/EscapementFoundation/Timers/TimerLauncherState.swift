/// The decisions of a periodic task launcher on a timer.
///
/// Each start opens a new *period*, so that a timer of an earlier one has no say any more.
struct TimerLauncherState<Job> {
  private var period: Int?
  private var lastPeriod = 0
  private var job: Job?

  /// Whether a run is under way, perhaps one of an earlier period.
  private(set) var isRunning = false

  var isActive: Bool { period != nil }

  /// Returns `true` if the launcher has to be restarted to go on with the new job.
  mutating func set(_ job: Job) -> Bool {
    self.job = job
    return isActive
  }

  /// Returns the period to add a timer for, or `nil` if there is nothing to do.
  mutating func start() -> (period: Int, job: Job)? {
    guard period == nil, let job else { return nil }
    lastPeriod += 1
    period = lastPeriod
    return (lastPeriod, job)
  }

  /// Returns whether there is something to end.
  mutating func stop() -> Bool {
    defer { period = nil }
    return isActive
  }

  /// Returns the job to run, or `nil` if the tick is skipped.
  mutating func tick(_ period: Int) -> Job? {
    guard period == self.period, !isRunning else { return nil }
    isRunning = true
    return job
  }

  /// The run has ended.
  mutating func ended() { isRunning = false }
}
