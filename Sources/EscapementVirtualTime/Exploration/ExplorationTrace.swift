/// The decisions of a run.
package struct ExplorationTrace: Sendable {
  /// A decision point at which not the first candidate was next, or something else than usual was
  /// drawn.
  package struct Step: Sendable, Hashable {
    enum Event: Hashable {
      /// A candidate overtook so many, first the one that the plain order would run.
      case overtakes(next: Origin, overtaken: Origin, count: Int)
      case happens(String)
    }

    /// The number of the decision point.
    package let decision: Int
    let now: Nanoseconds
    let event: Event
  }

  /// The task, block or thread of a candidate, as reports show it.
  struct Origin: Hashable {
    /// The number of the task in this run, or 0.
    let task: Int
    /// The place where the task waits.
    let place: WaitingPlace?
    /// The block or thread, if the candidate is not a task.
    let work: Work?
    /// Whether the scope looks at the files for which its threads and sources wait.
    var isLook = false
  }

  /// How many decision points there were.
  package private(set) var decisions = 0
  /// The choices that were not the first candidate.
  package private(set) var choices: [ExecutionSchedule.Overtaking] = []
  /// The same for the same decisions.
  private(set) var fingerprint = Fingerprint()
  package private(set) var steps: [Step] = []
  /// The fingerprint after each decision point, if it is recorded.
  private(set) var fingerprints: [Fingerprint] = []
  /// How many candidates each decision point had, if that is recorded; 1 for what was drawn.
  private(set) var candidateCounts: [UInt16] = []

  /// The jobs in the order in which they ran, and what was drawn, if that is recorded.
  var jobs: [JobOrder.Name] = []
  var draws: [JobOrder.Name: Int] = [:]
  /// How many of the drawn events disturb the test, such as faults, and their names.
  private(set) var disturbanceCount = 0
  private(set) var disturbances: [JobOrder.Name] = []

  /// The situations to which the program came, and whether they were reached.
  var points: [SimulationPoint: Bool] = [:]

  /// The schedule that makes the same choices.
  package var schedule: ExecutionSchedule { ExecutionSchedule(choices) }

  mutating func note(
    _ choice: Int, among candidates: [Explorer.Candidate], at now: Nanoseconds,
    _ recording: ExploredRun.Recording
  ) {
    fingerprint.mix(UInt64(bitPattern: now))
    fingerprint.mix(UInt64(candidates.count))
    fingerprint.mix(UInt64(choice))
    fingerprint.mix(UInt64(candidates[choice].task))
    note(choice: choice, of: candidates.count, recording)
  }

  /// Notes what was drawn of so many events, of which the first is the usual one.
  mutating func note(
    draw: Int, of count: Int, at now: Nanoseconds, _ recording: ExploredRun.Recording
  ) {
    fingerprint.mix(UInt64(bitPattern: now))
    fingerprint.mix(UInt64(count))
    fingerprint.mix(UInt64(draw))
    note(choice: draw, of: 1, recording)
  }

  private mutating func note(choice: Int, of count: Int, _ recording: ExploredRun.Recording) {
    if choice > 0 {
      choices.append(ExecutionSchedule.Overtaking(decision: decisions, kind: .runs(choice)))
    }
    decisions += 1
    switch recording {
    case .fingerprints: fingerprints.append(fingerprint)
    case .candidateCounts: candidateCounts.append(UInt16(clamping: count))
    case .fingerprint, .jobs, .steps: break
    }
  }

  mutating func note(_ step: Step) { steps.append(step) }

  /// An event that disturbs the test was drawn.
  mutating func note(disturbance name: JobOrder.Name?) {
    disturbanceCount += 1
    if let name { disturbances.append(name) }
  }

  mutating func takeSteps() -> [Step] {
    defer { steps = [] }
    return steps
  }
}
