import _EscapementCore

/// A search for a schedule under which a test fails.
struct Exploration: Sendable {
  /// Runs the test once, and returns its failures.
  typealias Run = @Sendable (ExploredRun) async -> [String]

  /// How many seeds there are, for all parts together.
  let seedCount: Int
  let options: ExplorationOptions
  let shard: Shard
  /// The schedules that are tried first.
  let known: [ExecutionSchedule]
  let journal: ScheduleJournal?
  /// Tells whether a schedule kills a process that replays it.
  let killsProcess: (@Sendable (ExecutionSchedule) async -> Bool)?
  let run: Run

  /// Tries the plain order, the known schedules, and then the seeds, until one fails.
  func search() async -> ExplorationReport {
    var report = ExplorationReport()
    if let interrupted = journal?.interrupted, let killsProcess, await killsProcess(interrupted) {
      // Each attempt is a process.
      let (smallest, attempts) = await interrupted.shrunk(
        decisions: (interrupted.overtakings.last?.decision ?? 0) + 1,
        budget: min(options.shrinkLimit, 60), fails: killsProcess)
      report.failure = ExplorationReport.Failure(
        seed: nil, schedule: smallest, shrinkAttempts: attempts, messages: [], steps: [],
        isCrash: true)
      // It stays in the journal, until it kills no process any more.
      return report
    }
    defer { journal?.end() }
    // The plain order tells whether something outside resumes the scope. If nothing does, a scope that has
    // no work is stuck, and need not be waited for.
    let (plain, plainFailures) = await attempt(.schedule(.plain), stallsAtOnce: false)
    report.note(plain.trace)
    report.hasWorkOutside = plain.hasWorkOutside
    if !plainFailures.isEmpty {
      report.failure = await failure(
        .plain, plain, seed: nil, messages: plainFailures, attempts: 0)
      return report
    }
    let seeds = shard.seeds(among: seedCount, from: options.firstSeed)
    if let first = seeds.first {
      report.firstDifference = await firstDifference(of: first, in: &report)
    }
    for schedule in known {
      if await tries(.schedule(schedule), seed: nil, in: &report) { return report }
    }
    for seed in seeds {
      if await tries(.seed(seed, options.strategy), seed: seed, in: &report) { return report }
    }
    return report
  }

  /// Tries a schedule, and returns whether it fails; then the search is over.
  private func tries(
    _ source: ScheduleSource, seed: UInt64?, in report: inout ExplorationReport
  ) async -> Bool {
    let (outcome, failures) = await attempt(source, stallsAtOnce: !report.hasWorkOutside)
    report.note(outcome.trace)
    report.hasWorkOutside = report.hasWorkOutside || outcome.hasWorkOutside
    if failures.isEmpty { return false }
    if outcome.wasStuckAtOnce,
      await attempt(source, stallsAtOnce: false).failures.isEmpty
    {
      // There is work outside that no hold has told of.
      report.hasWorkOutside = true
      return false
    }
    await found(failures, outcome, seed: seed, in: &report)
    return true
  }

  private func attempt(
    _ source: ScheduleSource, recordsSteps: Bool = false, stallsAtOnce: Bool
  ) async -> (outcome: ExploredRun.Outcome, failures: [String]) {
    let explored = ExploredRun(
      source, recordsSteps: recordsSteps, stallsAtOnce: stallsAtOnce, journal: journal)
    let failures = await run(explored)
    return (explored.outcome, failures)
  }

  private func found(
    _ failures: [String], _ outcome: ExploredRun.Outcome, seed: UInt64?,
    in report: inout ExplorationReport
  ) async {
    let stallsAtOnce = !report.hasWorkOutside
    let (smallest, attempts) = await outcome.trace.schedule.shrunk(
      decisions: outcome.trace.decisions, budget: options.shrinkLimit
    ) { schedule in
      !(await attempt(.schedule(schedule), stallsAtOnce: stallsAtOnce).failures.isEmpty)
    }
    let (last, messages) = await attempt(
      .schedule(smallest), recordsSteps: true, stallsAtOnce: stallsAtOnce)
    report.failure = await failure(
      smallest, last, seed: seed, messages: messages.isEmpty ? failures : messages,
      attempts: attempts)
    if messages.isEmpty, report.firstDifference == nil {
      // It fails now and then, under the same schedule.
      report.firstDifference = last.trace.decisions
    }
  }

  private func failure(
    _ schedule: ExecutionSchedule, _ outcome: ExploredRun.Outcome, seed: UInt64?,
    messages: [String],
    attempts: Int
  ) async -> ExplorationReport.Failure {
    let decisions = Set(schedule.overtakings.map(\.decision))
    let steps = outcome.trace.steps.filter { decisions.contains($0.decision) }
    return ExplorationReport.Failure(
      seed: seed, schedule: schedule, shrinkAttempts: attempts, messages: messages,
      steps: steps.map(\.description), isCrash: false)
  }

  /// Runs a seed twice, and compares what was decided.
  private func firstDifference(
    of seed: UInt64, in report: inout ExplorationReport
  ) async -> Int? {
    var traces: [[UInt64]] = []
    for _ in 0..<2 {
      let source = ScheduleSource.seed(seed, options.strategy)
      let (outcome, failures) = await attempt(source, recordsSteps: true, stallsAtOnce: false)
      report.hasWorkOutside = report.hasWorkOutside || outcome.hasWorkOutside
      // A failure is found by the search.
      if !failures.isEmpty { return nil }
      traces.append(outcome.trace.fingerprints)
    }
    if traces[0] == traces[1] { return nil }
    let different = zip(traces[0], traces[1]).enumerated().first { $1.0 != $1.1 }
    return different?.offset ?? min(traces[0].count, traces[1].count)
  }
}

extension ExplorationTrace.Step: CustomStringConvertible {
  package var description: String {
    let more = overtaken.count > 1 ? " and \(overtaken.count - 1) more" : ""
    return "+\(now.duration)  \(Self.name(task))\(Self.text(place)) overtakes "
      + "\(Self.name(overtaken[0]))\(Self.text(overtakenPlace))\(more)"
  }

  private static func name(_ task: Int) -> String { task == 0 ? "a job" : "task \(task)" }

  private static func text(_ place: WaitingPlace?) -> String {
    place?.innermostCall.map { " (\($0))" } ?? ""
  }
}
