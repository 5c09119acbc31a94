/// Decides which candidate is next at each decision point of a run, and records what it decided.
///
/// A value without effects: the same source and the same candidates give the same choices.
struct Explorer {
  /// A job or a sleeper that may be next: it is ready, or due.
  ///
  /// Plain bits, since every decision looks at all of them.
  struct Candidate {
    /// The number of the task in this run, by the order of appearance from 1; 0 if it is not known.
    let task: Int
    let priority: UInt64
    /// The number of the candidate in this run, from 0.
    let number: Int
  }

  /// Draws the choices, if they are not given, or the events besides them.
  private var sampler: ScheduleSampler?
  private var drawsChoices = false
  private var overtakings: [Int: ExecutionSchedule.Overtaking.Kind] = [:]
  private var numbers: [UInt64: Int] = [:]
  private var candidateCount = 0
  /// The candidates that wait, and for how many others still; `Int.max` for all others.
  private var waiting: [Int: Int] = [:]
  /// The origins of the candidates, by their numbers, if steps are recorded.
  private var origins: [ExplorationTrace.Origin] = []
  /// The names of the candidates, if the order of jobs is recorded or followed.
  private var names: JobOrder.Names?
  private var keeper: JobOrder.Keeper?
  private(set) var trace = ExplorationTrace()
  let recording: ExploredRun.Recording

  /// - Parameter counts: What the runs before have seen of visits to actors; `nil` if these are not
  ///   counted.
  init(
    _ source: ScheduleSource, recording: ExploredRun.Recording = .fingerprint,
    counts: VisitCounts? = nil
  ) {
    self.recording = recording
    if recording == .jobs { names = JobOrder.Names() }
    switch source {
    case .seed(let seed, let strategy):
      sampler = ScheduleSampler(seed: seed, strategy: strategy, counts: counts)
      drawsChoices = true
    case .schedule(let schedule), .enumerated(let schedule):
      if case .enumerated = source { sampler = ScheduleSampler(seed: 0, strategy: .random) }
      overtakings = Dictionary(
        uniqueKeysWithValues: schedule.overtakings.map { ($0.decision, $0.kind) })
    case .jobs(let order):
      names = JobOrder.Names()
      keeper = JobOrder.Keeper(order)
    }
  }

  /// Something may be next from now on.
  ///
  /// - Parameters:
  ///   - taskID: The number of its task in the process.
  ///   - yieldingID: The same if it ends a yield. Then it does not count as a job of its task,
  ///     which would go on at once.
  ///   - actor: The number of the actor to which it goes, or 0.
  mutating func add(
    taskID: UInt64?, yieldingID: UInt64? = nil, actor: Int = 0,
    place: @autoclosure () -> WaitingPlace? = nil, work: @autoclosure () -> Work? = nil
  ) -> Candidate {
    var task = 0
    if let taskID {
      task = numbers[taskID] ?? numbers.count + 1
      if task > numbers.count { numbers[taskID] = task }
    }
    let priority = sampler?.add(task: task, actor: actor, isYield: yieldingID != nil) ?? 0
    if recording == .steps || names != nil {
      let task = yieldingID.flatMap { numbers[$0] } ?? task
      names?.add(ofTask: task)
      if recording == .steps { origins.append(.init(task: task, place: place(), work: work())) }
    }
    candidateCount += 1
    return Candidate(task: task, priority: priority, number: candidateCount - 1)
  }

  /// The scope may look at files from now on.
  mutating func addLook() -> Candidate {
    defer { if recording == .steps { origins[origins.count - 1].isLook = true } }
    return add(taskID: nil)
  }

  /// Returns the index of the candidate that is next.
  ///
  /// - Parameter candidates: More than one, in the order in which they would run by themselves.
  mutating func decide(among candidates: [Candidate], at now: Nanoseconds) -> Int {
    let decision = trace.decisions
    let choice =
      (drawsChoices ? sampler?.choose(decision, among: candidates) : nil)
      ?? names.flatMap { keeper?.choose(decision, among: candidates, $0) }
      ?? follow(overtakings[decision], among: candidates)
    if choice > 0, recording == .steps {
      let (next, overtaken) = (candidates[choice].number, candidates[0].number)
      trace.note(
        .init(
          decision: decision, now: now,
          event: .overtakes(next: origins[next], overtaken: origins[overtaken], count: choice)))
    }
    trace.note(choice, among: candidates, at: now, recording)
    return choice
  }

  /// Draws one of some events besides the usual one, which is 0, with a probability.
  ///
  /// - Parameter step: Says what an event is, for reports; `nil` if it is part of what the test does,
  ///   and nothing that disturbs it.
  mutating func draw(
    _ count: Int, _ probability: Double, at now: Nanoseconds, step: ((Int) -> String?)?
  ) -> Int {
    let decision = trace.decisions
    let name = names?.draws()
    var drawn =
      sampler?.draw(count, probability) ?? name.flatMap { keeper?.draw(decision, $0) }
      ?? overtakings[decision]?.drawn ?? 0
    drawn = min(drawn, count)
    if drawn > 0 {
      if step != nil { trace.note(disturbance: name) }
      if recording == .jobs, let name { trace.draws[name] = drawn }
      if recording == .steps, let what = step?(drawn) {
        trace.note(.init(decision: decision, now: now, event: .happens(what)))
      }
    }
    trace.note(draw: drawn, of: count + 1, at: now, recording)
    return drawn
  }

  /// The program says whether a situation is reached.
  mutating func comes(to point: SimulationPoint, isReached: Bool) {
    trace.points[point, default: false] = trace.points[point, default: false] || isReached
  }

  /// A candidate is next, by a decision or because there is no other.
  mutating func runs(_ candidate: Candidate) {
    sampler?.runs(candidate)
    guard let name = names?.runs(candidate) else { return }
    if recording == .jobs { trace.jobs.append(name) }
    keeper?.runs(name)
  }

  /// The visits to actors that several tasks call, if they are counted.
  var sharedVisits: [ActorVisits.Shared] { sampler?.visits?.shared ?? [] }

  /// The choices as a schedule, if some tasks and blocks keep their order.
  var kept: ExecutionSchedule? { keeper?.schedule }

  /// The steps since the last call.
  mutating func takeSteps() -> [ExplorationTrace.Step] { trace.takeSteps() }

  private mutating func follow(
    _ kind: ExecutionSchedule.Overtaking.Kind?, among candidates: [Candidate]
  ) -> Int {
    if kind == nil, waiting.isEmpty { return 0 }
    var free = candidates.indices.filter { waiting[candidates[$0].number] == nil }
    // Candidates that wait for all others are next when there is no other.
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
