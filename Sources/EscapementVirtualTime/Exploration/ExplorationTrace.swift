/// The decisions of a run.
package struct ExplorationTrace: Sendable {
  /// A decision point at which not the first candidate was next.
  package struct Step: Sendable, Hashable {
    /// The number of the decision point.
    package let decision: Int
    let now: Nanoseconds
    let next: Origin
    /// The candidate that the plain order would run.
    let overtaken: Origin
    let overtakenCount: Int
  }

  /// The task, block or thread of a candidate, as reports show it.
  struct Origin: Hashable {
    /// The number of the task in this run, or 0.
    let task: Int
    /// Where the task waits.
    let place: WaitingPlace?
    /// The block or thread, if the candidate is not a task.
    let work: Work?
    /// Whether the scope looks at the files for which its threads and sources wait.
    var isLook = false
  }

  /// A task that went before the one that the plain order would run.
  package struct Pair: Sendable, Hashable {
    let task: Int
    let overtaken: Int
  }

  /// How many decision points there were.
  package private(set) var decisions = 0
  /// The choices that were not the first candidate.
  package private(set) var choices: [ExecutionSchedule.Overtaking] = []
  /// The same for the same decisions.
  private(set) var fingerprint = Fingerprint()
  package private(set) var pairs: Set<Pair> = []
  package private(set) var steps: [Step] = []
  /// The fingerprint after each decision point, if it is recorded.
  private(set) var fingerprints: [Fingerprint] = []

  /// The jobs in the order in which they ran, if that is recorded.
  var jobs: [JobOrder.Name] = []

  /// The schedule that makes the same choices.
  package var schedule: ExecutionSchedule { ExecutionSchedule(choices) }

  mutating func note(
    _ choice: Int, among candidates: [Explorer.Candidate], at now: Nanoseconds, inFull: Bool
  ) {
    fingerprint.mix(UInt64(bitPattern: now))
    fingerprint.mix(UInt64(candidates.count))
    fingerprint.mix(UInt64(choice))
    fingerprint.mix(UInt64(candidates[choice].task))
    if choice > 0 {
      choices.append(ExecutionSchedule.Overtaking(decision: decisions, kind: .runs(choice)))
      let (task, overtaken) = (candidates[choice].task, candidates[0].task)
      if task != 0, overtaken != 0 { pairs.insert(Pair(task: task, overtaken: overtaken)) }
    }
    decisions += 1
    if inFull { fingerprints.append(fingerprint) }
  }

  mutating func note(_ step: Step) { steps.append(step) }

  mutating func takeSteps() -> [Step] {
    defer { steps = [] }
    return steps
  }
}
