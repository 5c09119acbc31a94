import _EscapementCore

/// One run of an exploration: what decides its order, and what came of it.
package final class ExploredRun: Sendable {
  /// How much is recorded of what is decided.
  enum Recording {
    /// One fingerprint of all decisions.
    case fingerprint
    /// A fingerprint after each decision.
    case fingerprints
    /// How many candidates each decision had.
    case candidateCounts
    /// The order of the tasks and blocks.
    case jobs
    /// Each decision at which not the first candidate was next, with the places of the tasks.
    case steps
  }

  /// The result of a run that has ended.
  struct Outcome {
    var trace = ExplorationTrace()
    /// The choices as a schedule, if some tasks and blocks kept the order of another run.
    var kept: ExecutionSchedule?
    /// The visits to actors that several tasks call, if they are counted.
    var sharedVisits: [ActorVisits.Shared] = []
    /// How many jobs have become ready.
    var jobCount = 0
    /// Whether there was work outside the scope.
    var hasWorkOutside = false
    /// Whether the scope was taken for stuck without a wait in real time.
    var wasStuckAtOnce = false
    var failures: [RunFailure] = []
    /// How many failures there were when the scope told that it was stuck or endless.
    fileprivate var failuresBeforeLimit: Int?

    /// Whether a failure has been reported, and could not be kept back.
    var isReported: Bool { failures.contains(where: \.isReported) }

    /// The failure from which the others follow; `nil` if the run has passed.
    ///
    /// That is the first one, or that the scope is stuck or endless: then its body has been
    /// cancelled, which makes more fail.
    var cause: RunFailure? {
      failures.dropFirst(failuresBeforeLimit ?? 0).first ?? failures.first
    }
  }

  let source: ScheduleSource
  let recording: Recording
  /// Whether a scope without work is stuck at once, because nothing outside resumes it.
  let stallsAtOnce: Bool
  /// How many jobs may run at one instant, or deadlines pass, before the scope is endless.
  let jobLimit: Int
  let journal: ScheduleJournal?
  /// The visits to actors in the runs before; `nil` if they are not counted.
  let counts: VisitCounts?
  private let ended = Lock(Outcome())

  init(
    _ source: ScheduleSource, recording: Recording = .fingerprint, stallsAtOnce: Bool,
    jobLimit: Int = .max, journal: ScheduleJournal? = nil, counts: VisitCounts? = nil
  ) {
    self.source = source
    self.counts = counts ?? source.countsOfNoRuns
    self.journal = journal
    self.recording = recording
    self.stallsAtOnce = stallsAtOnce
    self.jobLimit = jobLimit
  }

  /// Whether the code that asks runs in the scope of this run.
  var isCurrent: Bool { Scope.current?.options.exploredRun === self }

  var outcome: Outcome { ended.withLock { $0 } }

  func note(_ failure: RunFailure) { ended.withLock { $0.failures.append(failure) } }

  /// The scope has ended, and is about to tell its problems.
  ///
  /// - Parameter hasReachedLimit: Whether its body was cancelled, because it was stuck or endless.
  func end(_ exploring: ScopeState.Exploring?, hasReachedLimit: Bool) {
    guard let exploring else { return }
    ended.withLock {
      if hasReachedLimit { $0.failuresBeforeLimit = $0.failures.count }
      $0.trace = exploring.explorer.trace
      $0.kept = exploring.explorer.kept
      $0.sharedVisits = exploring.explorer.sharedVisits
      $0.jobCount = exploring.jobs.count
      $0.hasWorkOutside = exploring.hasWorkOutside
      $0.wasStuckAtOnce = exploring.wasStuckAtOnce
    }
  }
}

extension VirtualTimeOptions {
  /// The options of the scope of a run; limits that the caller has set stay.
  func following(_ run: ExploredRun) -> VirtualTimeOptions {
    let usual = VirtualTimeOptions()
    var options = self
    options.exploredRun = run
    if jobLimit == usual.jobLimit { options.jobLimit = min(jobLimit, run.jobLimit) }
    if eventLimit == usual.eventLimit { options.eventLimit = min(eventLimit, run.jobLimit) }
    return options
  }
}
