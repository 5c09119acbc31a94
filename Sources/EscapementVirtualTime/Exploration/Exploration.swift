import _EscapementCore

/// A search for a schedule under which a test fails.
struct Exploration: Sendable {
  /// How many seeds there are, for all parts together.
  let seedCount: Int
  let options: ExplorationOptions
  let shard: Shard
  /// The schedules that are tried first.
  let known: [ExecutionSchedule]
  /// One for each run that is under way at a time; fewer if the file system does not allow them.
  let journals: [ScheduleJournal]
  /// Runs the test in other processes; `nil` if there can be none.
  let replayer: (any CrashReplaying)?
  /// Runs the test once.
  let run: @Sendable (ExploredRun) async -> Void

  /// Tries the plain order, the known schedules, and then the seeds, until one fails.
  ///
  /// - Throws: `CancellationError` if the caller is cancelled. What a run makes of that is no
  ///   failure.
  func search() async throws -> ExplorationReport {
    var report = ExplorationReport()
    if options.strategy == .byTurns || options.strategy.followsFromRunsBefore {
      report.counts = VisitCounts()
    }
    report.failure = await crash()
    // It stays in the journal, until it kills no process any more.
    if report.failure != nil { return report }
    defer { for journal in journals { journal.end() } }
    let isExhaustive = options.strategy == .exhaustive
    // Without another process, a run that has killed the one before is tried again in this one.
    let known = known + (replayer == nil ? journals.compactMap(\.interrupted) : [])
    let seeds = shard.seeds(among: isExhaustive ? 0 : seedCount, from: options.firstSeed)
    report.scheduleCount = 1 + known.count + min(seeds.count, .max - 1 - known.count)
    // The plain order tells whether something outside resumes the scope. If nothing does, a scope
    // that has no work is stuck, and need not be waited for.
    let plain = try await attempt(.schedule(.plain), stallsAtOnce: false, in: report)
    report.note(plain)
    if plain.cause != nil {
      report.failure = ExplorationReport.Failure(
        .plain, plain, seed: nil, number: 1, attempts: 0)
      return report
    }
    report.limitJobs(after: plain)
    for schedule in known where report.goesOn(options) {
      try await tries(.schedule(schedule), seed: nil, in: &report)
    }
    if !report.goesOn(options) { return report }
    if let first = seeds.first {
      report.firstDifference = try await firstDifference(
        of: .seed(first, options.strategy), seed: first, in: &report)
    } else if isExhaustive, seedCount > 0 {
      report.firstDifference = try await firstDifference(
        of: .enumerated(.plain), seed: nil, in: &report)
    }
    var rest = seeds[...]
    while report.goesOn(options), !rest.isEmpty {
      let seeds = Array(rest.prefix(Self.batchSize))
      let reported = seeds.map { followsFromOthers($0, in: report) ? nil : $0 }
      let outcomes = try await outcomes(of: seeds, in: report)
      for (seed, outcome) in zip(reported, outcomes) {
        try await judge(outcome, seed: seed, in: &report)
      }
      rest = rest.dropFirst(outcomes.count)
    }
    if isExhaustive { try await triesAll(in: &report) }
    return report
  }

  /// Whether the schedule of a seed is another one without the runs before.
  private func followsFromOthers(_ seed: UInt64, in report: ExplorationReport) -> Bool {
    report.counts?.isEmpty == false && options.strategy.selected(by: seed).followsFromRunsBefore
  }

  /// A run of an earlier search that has killed its process, and still does.
  private func crash() async -> ExplorationReport.Failure? {
    guard let replayer else { return nil }
    for interrupted in journals.compactMap(\.interrupted) {
      guard let first = await replayer.crash(under: interrupted, tellsSteps: false)
      else { continue }
      // Each attempt is a process.
      let (smallest, attempts) = await interrupted.shrunk(
        decisions: (interrupted.overtakings.last?.decision ?? 0) + 1,
        budget: min(options.shrinkLimit, 60)
      ) { await replayer.crash(under: $0, tellsSteps: false) != nil }
      let last = await replayer.crash(under: smallest, tellsSteps: true) ?? first
      return ExplorationReport.Failure(
        seed: nil, schedule: smallest, number: 0, shrinkAttempts: attempts,
        messages: [last.message], steps: last.steps, isCrash: true, isReported: false)
    }
    return nil
  }

  /// How many runs draw from what the same runs before have seen.
  private static let batchSize = 16

  /// Runs the schedules of some seeds, in order up to the first one that fails, if the search ends
  /// with it.
  private func outcomes(
    of seeds: [UInt64], in report: ExplorationReport
  ) async throws -> [ExploredRun.Outcome] {
    let batch = RunBatch(count: seeds.count, stopsAtFirstFailure: options.stopsAtFirstFailure)
    @Sendable func runLane(_ lane: Int) async throws {
      while let run = batch.next() {
        batch.end(
          run,
          try await attempt(
            .seed(seeds[run], options.strategy), stallsAtOnce: !report.hasWorkOutside, lane: lane,
            in: report))
      }
    }
    if options.concurrentRuns == 1 {
      try await runLane(0)
    } else {
      try await withThrowingTaskGroup { lanes in
        for lane in 0..<options.concurrentRuns { lanes.addTask { try await runLane(lane) } }
        try await lanes.waitForAll()
      }
    }
    return batch.outcomes
  }

  /// Tries all orders, up to the number of seeds.
  private func triesAll(in report: inout ExplorationReport) async throws {
    var orders = Enumeration(limit: seedCount)
    report.orders = orders
    while report.goesOn(options), let order = orders.next() {
      let trace = try await tries(
        .enumerated(order), recording: .candidateCounts, seed: nil, in: &report)
      orders.tried(order, counts: trace.candidateCounts)
      report.orders = orders
    }
  }

  /// Tries a schedule.
  @discardableResult private func tries(
    _ source: ScheduleSource, recording: ExploredRun.Recording = .fingerprint, seed: UInt64?,
    in report: inout ExplorationReport
  ) async throws -> ExplorationTrace {
    let outcome = try await attempt(
      source, recording: recording, stallsAtOnce: !report.hasWorkOutside, in: report)
    try await judge(outcome, seed: seed, in: &report)
    return outcome.trace
  }

  /// Notes what came of a run, and makes its schedule small if it is the first one that fails.
  private func judge(
    _ outcome: ExploredRun.Outcome, seed: UInt64?, in report: inout ExplorationReport
  ) async throws {
    report.counts?.add(outcome.sharedVisits)
    if outcome.wasStuckAtOnce, !report.hasStalled {
      let source = ScheduleSource.schedule(outcome.trace.schedule)
      guard try await attempt(source, stallsAtOnce: false, in: report).cause != nil else {
        // There is work outside that no hold has told of.
        report.hasWorkOutside = true
        return report.note(outcome, hasPassed: true)
      }
      report.hasStalled = true
    }
    report.note(outcome)
    if let cause = outcome.cause, report.failure == nil {
      try await found(cause, outcome, seed: seed, in: &report)
    }
  }

  /// - Parameter lane: The number of the lane in which it runs, if several run at a time.
  private func attempt(
    _ source: ScheduleSource, recording: ExploredRun.Recording = .fingerprint, stallsAtOnce: Bool,
    lane: Int = 0, in report: ExplorationReport
  ) async throws -> ExploredRun.Outcome {
    let journal = lane < journals.count ? journals[lane] : nil
    let explored = ExploredRun(
      source, recording: recording, stallsAtOnce: stallsAtOnce, jobLimit: report.jobLimit,
      journal: journal, counts: report.counts)
    var name = "\(source)"
    if case .seed(let seed, _) = source, followsFromOthers(seed, in: report) {
      name += " after those before it"
    }
    journal?.begin(name, isReplayed: replayer != nil)
    await run(explored)
    try Task.checkCancellation()
    return explored.outcome
  }

  private func found(
    _ cause: RunFailure, _ outcome: ExploredRun.Outcome, seed: UInt64?,
    in report: inout ExplorationReport
  ) async throws {
    if outcome.isReported {
      report.failure = ExplorationReport.Failure(
        outcome.trace.schedule, outcome, seed: seed, number: report.schedulesTried, attempts: 0)
      return
    }
    let stallsAtOnce = !report.hasWorkOutside
    // What fails must be the same, or a smaller schedule of another bug would hide this one.
    let present = report
    var attempts = 0
    func fails(
      _ source: ScheduleSource, _ recording: ExploredRun.Recording
    ) async throws -> ExploredRun.Outcome? {
      guard attempts < options.shrinkLimit else { return nil }
      attempts += 1
      let outcome = try await attempt(
        source, recording: recording, stallsAtOnce: stallsAtOnce, in: present)
      return outcome.cause?.identity == cause.identity ? outcome : nil
    }
    var (narrow, disturbanceCount) = try await narrowed(outcome.trace, fails)
    let (smallest, _) = try await narrow.shrunk(
      decisions: outcome.trace.decisions, budget: options.shrinkLimit - attempts
    ) {
      // An order without faults is simpler than a fault, however many overtakings it has.
      guard let trace = try await fails(.schedule($0), .fingerprint)?.trace,
        trace.disturbanceCount <= disturbanceCount
      else { return false }
      disturbanceCount = trace.disturbanceCount
      return true
    }
    var last = try await attempt(
      .schedule(smallest), recording: .steps, stallsAtOnce: stallsAtOnce, in: report)
    if last.failures.isEmpty {
      // It fails now and then, under the same schedule.
      last.failures = outcome.failures
      report.firstDifference = report.firstDifference ?? last.trace.decisions
    }
    report.failure = ExplorationReport.Failure(
      smallest, last, seed: seed, number: report.schedulesTried, attempts: attempts)
  }

  /// Keeps few disturbances of a failing run, and then lets few tasks and blocks keep their order; all
  /// others follow the plain order.
  ///
  /// - Returns: The schedule, and how many disturbances are drawn under it.
  private func narrowed(
    _ failing: ExplorationTrace,
    _ fails: (ScheduleSource, ExploredRun.Recording) async throws -> ExploredRun.Outcome?
  ) async throws -> (ExecutionSchedule, disturbanceCount: Int) {
    var narrowest = failing
    guard let trace = try await fails(.schedule(failing.schedule), .jobs)?.trace else {
      return (failing.schedule, failing.disturbanceCount)
    }
    var kept: ExecutionSchedule?
    var attempts = 0
    var names = Set(trace.disturbances)
    let rest = (trace.draws.keys.sorted() + trace.jobs).filter { names.insert($0).inserted }
    for candidates in [trace.disturbances, rest] {
      let others = names.subtracting(candidates)
      let needed = try await smallestPart(of: candidates) { part in
        // The rest of the limit is for the overtakings.
        attempts += 1
        guard attempts <= options.shrinkLimit / 4 else { return nil }
        let order = JobOrder(jobs: trace.jobs, draws: trace.draws, kept: others.union(part))
        guard let outcome = try await fails(.jobs(order), .fingerprint) else { return false }
        (narrowest, kept) = (outcome.trace, outcome.kept)
        return true
      }
      names = others.union(needed)
    }
    // The one that lets tasks wait has fewer overtakings, and the other one makes exactly the same
    // choices.
    if let kept, let trace = try await fails(.schedule(kept), .fingerprint)?.trace,
      trace.disturbanceCount <= narrowest.disturbanceCount
    {
      return (kept, trace.disturbanceCount)
    }
    return (narrowest.schedule, narrowest.disturbanceCount)
  }

  /// Runs a schedule twice, and compares what was decided.
  private func firstDifference(
    of source: ScheduleSource, seed: UInt64?, in report: inout ExplorationReport
  ) async throws -> Int? {
    var traces: [[Fingerprint]] = []
    for _ in 0..<2 {
      let outcome = try await attempt(
        source, recording: .fingerprints, stallsAtOnce: false, in: report)
      report.hasWorkOutside = report.hasWorkOutside || outcome.hasWorkOutside
      if let cause = outcome.cause {
        // Else it is found by the search, which runs the seed again.
        if outcome.isReported {
          report.note(outcome)
          try await found(cause, outcome, seed: seed, in: &report)
        }
        return nil
      }
      traces.append(outcome.trace.fingerprints)
    }
    if traces[0] == traces[1] { return nil }
    let different = zip(traces[0], traces[1]).enumerated().first { $1.0 != $1.1 }
    return different?.offset ?? min(traces[0].count, traces[1].count)
  }
}

extension ExplorationReport.Failure {
  fileprivate init(
    _ schedule: ExecutionSchedule, _ outcome: ExploredRun.Outcome, seed: UInt64?,
    number: Int, attempts: Int
  ) {
    let source = ScheduleSource.schedule(schedule)
    let steps = outcome.trace.steps.filter { source.decides($0.decision) }
    self.init(
      seed: seed, schedule: schedule, number: number, shrinkAttempts: attempts,
      messages: outcome.failures.map(\.message), steps: steps.map(\.description), isCrash: false,
      isReported: outcome.isReported)
  }
}

extension ExplorationTrace.Step: CustomStringConvertible {
  package var description: String {
    switch event {
    case .overtakes(let next, let overtaken, let count):
      let more = count > 1 ? " and \(count - 1) more" : ""
      let text = next.isLook ? "the scope looks at its files before" : "\(next) overtakes"
      return "+\(now.duration)  \(text) \(overtaken)\(more)"
    case .happens(let what):
      return "+\(now.duration)  \(what)"
    }
  }
}

extension ExplorationTrace.Origin: CustomStringConvertible {
  var description: String {
    let name = task == 0 ? work?.name ?? "a job" : "task \(task)"
    let calls = Symbols.$linesToFind.withValue(.max) {
      task == 0 ? work?.place : place?.innermostCalls
    }
    return name + (calls.map { " (\($0))" } ?? "")
  }
}
