/// How the schedules of an exploration are drawn.
public enum ExplorationStrategy: Sendable, Hashable {
  /// By turns: ``partialOrderSampling``, ``random`` and ``probabilistic(depth:)`` with depths 1 to 5.
  ///
  /// The seed alone tells which one. No single strategy finds all kinds of bugs.
  case byTurns
  /// Each job gets a random priority when it becomes ready, and the highest one is next.
  ///
  /// After Yuan, Yang, Gu: *Partial Order Aware Concurrency Sampling* (CAV 2018).
  case partialOrderSampling
  /// Each candidate is next with the same probability.
  case random
  /// Each task gets a random priority, and the highest one is next. At `depth - 1` random decision
  /// points, the task that would be next gets the lowest priority.
  ///
  /// After Burckhardt and others: *A Randomized Scheduler with Probabilistic Guarantees of Finding
  /// Bugs* (ASPLOS 2010). A depth is 1 to 5; other numbers count as the nearest one.
  case probabilistic(depth: Int)
}

extension ExplorationStrategy {
  /// The strategy that a seed selects.
  func selected(by seed: UInt64) -> ExplorationStrategy {
    guard self == .byTurns else { return self }
    return switch seed % 3 {
    case 0: .partialOrderSampling
    case 1: .random
    default: .probabilistic(depth: Int(seed / 3 % 5) + 1)
    }
  }
}

/// Draws the choices of one run.
struct ScheduleSampler {
  private enum Method {
    case highestPriority
    case random
    case changing(Changes)
  }

  /// The priorities of tasks, and the decision points at which one falls.
  private struct Changes {
    var ofTasks: [Int: UInt64] = [:]
    var points: Set<Int> = []
    /// The next lowest priority; those that are drawn have the highest bit.
    var lowest = UInt64(1) << 32
  }

  private var generator: ScheduleGenerator
  private var method: Method

  init(seed: UInt64, strategy: ExplorationStrategy) {
    generator = ScheduleGenerator(seed: seed)
    switch strategy.selected(by: seed) {
    case .byTurns, .random:
      method = .random
    case .partialOrderSampling:
      method = .highestPriority
    case .probabilistic(let depth):
      // How many decision points a run has is not known before: 16, 32, ... or 1,024, by chance.
      let decisions = 16 << generator.index(below: 7)
      var changes = Changes()
      for _ in 1..<max(1, min(5, depth)) {
        changes.points.insert(generator.index(below: decisions))
      }
      method = .changing(changes)
    }
  }

  /// The priority of a job that becomes ready; `task` is the number of its task, if it is known.
  mutating func priority(ofTask task: Int?) -> UInt64 {
    switch method {
    case .random:
      return 0
    case .highestPriority:
      return generator.next() | 1 << 63
    case .changing(var changes):
      if let task, let known = changes.ofTasks[task] { return known }
      let drawn = generator.next() | 1 << 63
      if let task {
        changes.ofTasks[task] = drawn
        method = .changing(changes)
      }
      return drawn
    }
  }

  /// The index of the candidate that is next.
  mutating func choose(_ decision: Int, among candidates: [Explorer.Candidate]) -> Int {
    switch method {
    case .random:
      return generator.index(below: candidates.count)
    case .highestPriority:
      return highest(of: candidates.map(\.priority))
    case .changing(var changes):
      var priorities = candidates.map { candidate in
        candidate.task.flatMap { changes.ofTasks[$0] } ?? candidate.priority
      }
      var choice = highest(of: priorities)
      if changes.points.contains(decision), let task = candidates[choice].task {
        changes.lowest -= 1
        changes.ofTasks[task] = changes.lowest
        method = .changing(changes)
        for (index, candidate) in candidates.enumerated() where candidate.task == task {
          priorities[index] = changes.lowest
        }
        choice = highest(of: priorities)
      }
      return choice
    }
  }

  /// The index of the highest priority, the first one of equal ones.
  private func highest(of priorities: [UInt64]) -> Int {
    var best = 0
    for index in priorities.indices where priorities[index] > priorities[best] { best = index }
    return best
  }
}
