import CVirtualTime

/// Counts the jobs that run while time stands, and finds out what keeps a scope going without end.
struct Patience {
  /// Things of which a scope may have too many.
  enum Crowd { case tasks, threads }

  enum Verdict {
    /// Go on: the tasks that are enqueued from now on are noted.
    case watch
    /// The limit is reached; these tasks were seen.
    case exhausted(witnesses: [Witness], works: [Work])
  }

  /// A task that was seen.
  struct Witness: CustomStringConvertible {
    let task: TaskDescription
    /// The place where it waited for its next job.
    let place: WaitingPlace?

    var description: String {
      place?.description.map { "\(task)\n    in \($0)" } ?? task.description
    }
  }

  private static let jobsToWatch = 256
  /// How many times as many jobs may run at one instant while something may still end them.
  private static let mostRounds = 100

  private let jobLimit: Int
  private var jobsLeft: Int
  private var rounds = 1
  /// The exceeded limit (tasks or threads) that the report has not named yet.
  ///
  /// No job runs before.
  private(set) var crowd: Crowd?
  private var witnesses: Set<TaskDescription>?
  private var places: [UInt64: WaitingPlace] = [:]
  /// The blocks and threads that were seen, in order.
  private var works: [Work] = []

  init(jobLimit: Int) {
    self.jobLimit = jobLimit
    jobsLeft = jobLimit
  }

  var isWatching: Bool { witnesses != nil }
  /// How many jobs may run at this instant, as far as is known by now.
  var jobsAllowed: Int { Self.jobs(in: rounds, of: jobLimit) }
  /// How many jobs may run at one instant while time is held.
  static func jobsWhileHeld(limit: Int) -> Int { jobs(in: mostRounds, of: limit) }

  private static func jobs(in rounds: Int, of limit: Int) -> Int {
    let (jobs, overflow) = limit.multipliedReportingOverflow(by: rounds)
    return overflow ? .max : jobs
  }

  @inline(__always) mutating func allowsJob() -> Bool {
    jobsLeft -= 1
    return jobsLeft >= 0
  }

  mutating func timeMoved() {
    jobsLeft = crowd == nil ? jobLimit : 0
    rounds = 1
    if isWatching { (witnesses, places, works) = (nil, [:], []) }
  }

  /// The limit is reached while real work holds time, or sleepers were due; returns whether more
  /// jobs may run.
  ///
  /// The jobs may wait for either. A fast machine runs more of them until real work ends, and is
  /// not to be stricter than a slow one.
  mutating func extend() -> Bool {
    guard rounds < Self.mostRounds else { return false }
    rounds += 1
    jobsLeft = jobLimit
    return true
  }

  /// Allows no more than so many jobs until time moves.
  mutating func lower(to limit: Int) { jobsLeft = min(jobsLeft, limit) }

  /// There are too many tasks or threads that have not ended.
  mutating func isExceeded(by crowd: Crowd) {
    self.crowd = crowd
    jobsLeft = 0
  }

  /// The report names the exceeded limit now, if there is one.
  mutating func takeCrowd() -> Crowd? {
    guard let crowd else { return nil }
    self.crowd = nil
    timeMoved()
    return crowd
  }

  mutating func note(_ task: TaskDescription?) {
    if let task { witnesses?.insert(task) }
  }

  /// Something that is not a task is about to run.
  mutating func note(_ work: Work?) {
    if let work, works.count <= shownItems, !works.contains(work) { works.append(work) }
  }

  /// A task is about to run.
  mutating func note(placeOf task: UnsafeMutableRawPointer) {
    // The first place is as good as the others: the task comes there again and again.
    let id = cvt_task_id(task)
    if places[id] == nil { places[id] = WaitingPlace(of: task) }
  }

  /// The action now that no more jobs are allowed.
  mutating func decide() -> Verdict {
    guard let witnesses else {
      witnesses = []
      jobsLeft = Self.jobsToWatch
      return .watch
    }
    let (places, works) = (places, works)
    timeMoved()
    return .exhausted(
      witnesses: witnesses.sorted { $0.id < $1.id }.map { Witness(task: $0, place: places[$0.id]) },
      works: works)
  }
}
