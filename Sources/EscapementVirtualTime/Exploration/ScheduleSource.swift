/// The source of the choices of a run.
package enum ScheduleSource: Sendable, Hashable {
  /// They are drawn.
  case seed(UInt64, ExplorationStrategy)
  /// They are given.
  case schedule(ExecutionSchedule)
  /// They are given, and the events that are drawn besides them are those of a fixed seed.
  case enumerated(ExecutionSchedule)
  /// Some tasks and blocks keep the order of another run.
  case jobs(JobOrder)
}

extension ScheduleSource {
  /// Whether a decision is one of the schedule, and does not follow from an earlier one.
  func decides(_ decision: Int) -> Bool {
    guard case .schedule(let schedule) = self else { return true }
    return schedule.overtakings.contains { $0.decision == decision }
  }
}

extension ScheduleSource {
  /// Counts without a run, with which a seed is drawn as at the beginning of an exploration; `nil` if
  /// none are needed.
  var countsOfNoRuns: VisitCounts? {
    guard case .seed(let seed, let strategy) = self else { return nil }
    return strategy.selected(by: seed).followsFromRunsBefore ? VisitCounts() : nil
  }
}

extension ScheduleSource: CustomStringConvertible {
  package var description: String {
    switch self {
    case .seed(let seed, _): "under seed \(seed)"
    case .jobs: "under a part of a schedule"
    case .schedule(.plain): "in the plain order"
    case .schedule(let schedule), .enumerated(let schedule): "under the schedule \"\(schedule)\""
    }
  }
}
