/// Decides which candidate is next at each decision point of a run, and records what it decided.
///
/// A value without effects: the same source and the same candidates give the same choices.
struct Explorer {
  /// What may be next: a job that is ready, or a sleeper that is due.
  struct Candidate {
    /// The number of the task in this run, by the order of appearance from 1; `nil` if not known.
    let task: Int?
    let priority: UInt64
    /// The number of the candidate in this run.
    let number: Int
    /// Where the task goes on, innermost first, if places are recorded.
    let place: [UInt]
  }

  private enum Source {
    case sampler(ScheduleSampler)
    case schedule([Int: Schedule.Overtaking.Kind])
  }

  private var source: Source
  private var numbers: [UInt64: Int] = [:]
  private var candidateCount = 0
  /// The candidates that wait, and for how many others still; `Int.max` for all others.
  private var waiting: [Int: Int] = [:]
  private(set) var trace = ExplorationTrace()
  /// Whether the trace gets steps and places, and not only a fingerprint.
  let recordsSteps: Bool

  init(_ source: ScheduleSource, recordsSteps: Bool = false) {
    self.recordsSteps = recordsSteps
    switch source {
    case .seed(let seed, let strategy):
      self.source = .sampler(ScheduleSampler(seed: seed, strategy: strategy))
    case .schedule(let schedule):
      self.source = .schedule(
        Dictionary(uniqueKeysWithValues: schedule.overtakings.map { ($0.decision, $0.kind) }))
    }
  }

  /// Something may be next from now on; `taskID` is the number of its task in the process.
  mutating func add(taskID: UInt64?, place: @autoclosure () -> [UInt] = []) -> Candidate {
    var task: Int?
    if let taskID {
      task = numbers[taskID, default: numbers.count + 1]
      numbers[taskID] = task
    }
    var priority: UInt64 = 0
    if case .sampler(var sampler) = source {
      priority = sampler.priority(ofTask: task)
      source = .sampler(sampler)
    }
    candidateCount += 1
    return Candidate(
      task: task, priority: priority, number: candidateCount, place: recordsSteps ? place() : [])
  }

  /// Returns the index of the candidate that is next.
  ///
  /// - Parameter candidates: More than one, in the order in which they would run by themselves.
  mutating func decide(among candidates: [Candidate], at now: Nanoseconds) -> Int {
    let decision = trace.decisions
    let choice: Int
    switch source {
    case .sampler(var sampler):
      choice = sampler.choose(decision, among: candidates)
      source = .sampler(sampler)
    case .schedule(let overtakings):
      choice = follow(overtakings[decision], among: candidates)
    }
    trace.note(choice, among: candidates, at: now, inFull: recordsSteps)
    return choice
  }

  private mutating func follow(
    _ kind: Schedule.Overtaking.Kind?, among candidates: [Candidate]
  ) -> Int {
    var free = candidates.indices.filter { waiting[candidates[$0].number] == nil }
    // Those that wait for all others are next when there is no other.
    if free.isEmpty { free = Array(candidates.indices) }
    var choice = free[0]
    func firstWaits(for count: Int) {
      guard free.count > 1 else { return }
      waiting[candidates[choice].number] = count
      choice = free[1]
    }
    switch kind {
    case nil: break
    case .runs(let places): choice = free[min(places, free.count - 1)]
    case .firstWaits: firstWaits(for: .max)
    case .firstWaitsFor(let count): firstWaits(for: count)
    }
    waiting[candidates[choice].number] = nil
    for candidate in candidates {
      guard let left = waiting[candidate.number], left < .max else { continue }
      waiting[candidate.number] = left == 1 ? nil : left - 1
    }
    return choice
  }
}
