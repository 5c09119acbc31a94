import _EscapementCore

/// How the schedules of an exploration are drawn.
public enum ExplorationStrategy: Sendable, Hashable {
  /// By turns: ``partialOrderSampling``, ``random`` and ``probabilistic(depth:)`` with depths 1 to
  /// 5.
  ///
  /// The seed alone tells which one. No single strategy finds all kinds of bugs.
  case byTurns
  /// Each job gets a random priority when it becomes ready, and the highest one is next. Every
  /// second time that a task yields, all others go first.
  ///
  /// After Yuan, Yang, Gu: *Partial Order Aware Concurrency Sampling* (CAV 2018).
  case partialOrderSampling
  /// Each candidate is next with the same probability.
  case random
  /// Each task gets a random priority, and the highest one is next. At `depth - 1` random decision
  /// points, the task that would be next gets the lowest priority. A task that yields lets all
  /// others go first.
  ///
  /// After Burckhardt and others: *A Randomized Scheduler with Probabilistic Guarantees of Finding
  /// Bugs* (ASPLOS 2010). A depth is 1 to 5; other numbers count as the nearest one.
  case probabilistic(depth: Int)
  /// Nothing is drawn: all orders, those with the fewest overtakings first, up to the number of
  /// seeds. Events that are drawn besides orders, such as faults of a network, are the same in each.
  ///
  /// After Emmi, Qadeer, Rakamarić: *Delay-Bounded Scheduling* (POPL 2011). Two orders
  /// are different if another job comes next at one decision, even where that does not matter: the
  /// engine does not see the memory that jobs share. Each shard tries all orders.
  case exhaustive
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
  /// The priorities of tasks, and the decision points at which one falls.
  private struct Changes {
    /// By the numbers of tasks; 0 for one that has none yet.
    private(set) var ofTasks: [UInt64] = []
    var points: Set<Int> = []

    mutating func set(_ priority: UInt64, of task: Int) {
      if task >= ofTasks.count {
        ofTasks += repeatElement(0, count: task + 1 - ofTasks.count)
      }
      ofTasks[task] = priority
    }

    func priority(of task: Int) -> UInt64? {
      task < ofTasks.count && ofTasks[task] != 0 ? ofTasks[task] : nil
    }
  }

  private var generator: SplitMix64
  /// Whether the highest priority is next; else each candidate with the same probability.
  private let usesPriorities: Bool
  /// Only if priorities are those of tasks.
  private var changes: Changes?
  /// The next lowest priority; those that are drawn have the highest bit.
  private var lowest = UInt64(1) << 32

  /// A priority below all others.
  private mutating func nextLowest() -> UInt64 {
    lowest -= 1
    return lowest
  }

  init(seed: UInt64, strategy: ExplorationStrategy) {
    generator = SplitMix64(seed: seed)
    switch strategy.selected(by: seed) {
    case .byTurns, .random, .exhaustive:
      usesPriorities = false
    case .partialOrderSampling:
      usesPriorities = true
    case .probabilistic(let depth):
      usesPriorities = true
      // How many decision points a run has is not known before: 16, 32, ... or 1,024, by chance.
      let decisions = 16 << generator.index(below: 7)
      var changes = Changes()
      for _ in 1..<max(1, min(5, depth)) {
        changes.points.insert(generator.index(below: decisions))
      }
      self.changes = changes
    }
  }

  /// The priority of a job that becomes ready; `task` is the number of its task, or 0.
  ///
  /// - Parameter isYield: Whether it ends a yield.
  mutating func priority(ofTask task: Int, isYield: Bool = false) -> UInt64 {
    guard usesPriorities else { return 0 }
    // A task that waits for another one and yields meanwhile must not keep that one from running,
    // also if that one has yielded, too. So every second yield, or each one, comes behind all
    // others.
    if isYield {
      let drawn = changes == nil ? generator.next() : 0
      return drawn >= 1 << 63 ? drawn : nextLowest()
    }
    guard changes != nil, task != 0 else { return generator.next() | 1 << 63 }
    if let known = changes?.priority(of: task) { return known }
    let drawn = generator.next() | 1 << 63
    changes?.set(drawn, of: task)
    return drawn
  }

  /// One of some events besides the usual one, which is 0, with a probability.
  mutating func draw(_ count: Int, _ probability: Double) -> Int {
    let sample = Double(generator.next() >> 11) / Double(1 << 53)
    return sample < probability ? 1 + generator.index(below: count) : 0
  }

  /// The index of the candidate that is next.
  mutating func choose(_ decision: Int, among candidates: [Explorer.Candidate]) -> Int {
    guard usesPriorities else { return generator.index(below: candidates.count) }
    let choice = highest(of: candidates)
    guard changes?.points.contains(decision) == true, candidates[choice].task != 0 else {
      return choice
    }
    let lowest = nextLowest()
    changes?.set(lowest, of: candidates[choice].task)
    return highest(of: candidates)
  }

  /// The index of the highest priority, the first one of equal ones.
  private func highest(of candidates: [Explorer.Candidate]) -> Int {
    candidates.withUnsafeBufferPointer { all in
      guard let all = all.baseAddress else { return 0 }
      let (count, changes) = (candidates.count, changes)
      var (index, best, highest) = (0, 0, UInt64(0))
      while index < count {
        var priority = all[index].priority
        // The priority of a task may have changed since it became ready.
        if let changes, let changed = changes.priority(of: all[index].task) { priority = changed }
        if priority > highest { (best, highest) = (index, priority) }
        index += 1
      }
      return best
    }
  }
}
