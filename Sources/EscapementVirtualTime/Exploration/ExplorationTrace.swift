/// What was decided in a run.
package struct ExplorationTrace: Sendable {
  /// A decision point at which not the first candidate was next.
  package struct Step: Sendable, Hashable {
    /// The number of the decision point.
    package let decision: Int
    let now: Nanoseconds
    let task: Int?
    let overtaken: [Int?]
    let place: [UInt]
    let overtakenPlace: [UInt]
  }

  /// A task that went before another one.
  package struct Pair: Sendable, Hashable {
    let task: Int
    let overtaken: Int
  }

  /// How many decision points there were.
  package private(set) var decisions = 0
  /// What was chosen where it was not the first candidate.
  package private(set) var choices: [Schedule.Overtaking] = []
  /// A number that is the same for the same decisions (FNV-1a).
  package private(set) var fingerprint: UInt64 = 0xCBF2_9CE4_8422_2325
  package private(set) var pairs: Set<Pair> = []
  package private(set) var steps: [Step] = []
  /// The fingerprint after each decision point, if all steps are recorded.
  package private(set) var fingerprints: [UInt64] = []

  /// The schedule that makes the same choices.
  package var schedule: Schedule { Schedule(choices) }

  mutating func note(
    _ choice: Int, among candidates: [Explorer.Candidate], at now: Nanoseconds, inFull: Bool
  ) {
    mix(UInt64(bitPattern: now))
    mix(UInt64(candidates.count))
    mix(UInt64(choice))
    mix(UInt64(candidates[choice].task ?? 0))
    if choice > 0 {
      choices.append(Schedule.Overtaking(decision: decisions, kind: .runs(choice)))
      for overtaken in candidates[..<choice] {
        if let task = candidates[choice].task, let other = overtaken.task {
          pairs.insert(Pair(task: task, overtaken: other))
        }
      }
      if inFull {
        steps.append(
          Step(
            decision: decisions, now: now, task: candidates[choice].task,
            overtaken: candidates[..<choice].map(\.task), place: candidates[choice].place,
            overtakenPlace: candidates[0].place))
      }
    }
    decisions += 1
    if inFull { fingerprints.append(fingerprint) }
  }

  private mutating func mix(_ value: UInt64) {
    for shift in stride(from: 0, to: 64, by: 16) {
      fingerprint = (fingerprint ^ (value >> UInt64(shift) & 0xFFFF)) &* 0x100_0000_01B3
    }
  }
}
