import _EscapementCore

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
  /// The priorities, if the highest one is next.
  private var changes: Changes?
  /// The visits to actors, if these are counted.
  private(set) var visits: ActorVisits?
  /// How likely each candidate is, if that follows from the runs before.
  private var weights: VisitWeights?
  /// The next lowest priority; those that are drawn have the highest bit.
  private var lowest = UInt64(1) << 32

  /// A priority below all others.
  private mutating func nextLowest() -> UInt64 {
    lowest -= 1
    return lowest
  }

  /// - Parameter counts: What the runs before have seen of visits; `nil` if these are not counted.
  init(seed: UInt64, strategy: ExplorationStrategy, counts: VisitCounts? = nil) {
    generator = SplitMix64(seed: seed)
    visits = counts.map { _ in ActorVisits() }
    let selected = strategy.selected(by: seed)
    if let counts, selected.followsFromRunsBefore {
      let isNewPairsFirst = selected == .newPairsFirst
      weights = VisitWeights(
        counts, newPairsFirst: isNewPairsFirst,
        byVisitsLeft: !isNewPairsFirst || generator.index(below: 2) == 0)
    }
    if case .probabilistic(let depth) = selected {
      // How many decision points a run has is not known before: 16, 32, ... or 1,024, by chance.
      let decisions = 16 << generator.index(below: 7)
      var changes = Changes()
      for _ in 1..<max(1, min(5, depth)) {
        changes.points.insert(generator.index(below: decisions))
      }
      self.changes = changes
    }
  }

  /// Returns the priority of a job that becomes ready.
  ///
  /// - Parameters:
  ///   - task: The number of its task, or 0.
  ///   - actor: The number of the actor to which it goes, or 0.
  ///   - isYield: Whether it ends a yield.
  mutating func add(task: Int, actor: Int = 0, isYield: Bool = false) -> UInt64 {
    visits?.add(task: task, actor: actor)
    guard changes != nil else { return 0 }
    // A task that waits for another one and yields meanwhile must not keep that one from running,
    // also if that one has yielded, too.
    if isYield { return nextLowest() }
    guard task != 0 else { return generator.next() | 1 << 63 }
    if let known = changes?.priority(of: task) { return known }
    let drawn = generator.next() | 1 << 63
    changes?.set(drawn, of: task)
    return drawn
  }

  /// A candidate is next.
  mutating func runs(_ candidate: Explorer.Candidate) {
    if let visits { weights?.runs(candidate, visits) }
    visits?.runs(candidate)
  }

  /// One of some events besides the usual one, which is 0, with a probability.
  mutating func draw(_ count: Int, _ probability: Double) -> Int {
    let sample = Double(generator.next() >> 11) / Double(1 << 53)
    return sample < probability ? 1 + generator.index(below: count) : 0
  }

  /// The index of the candidate that is next.
  mutating func choose(_ decision: Int, among candidates: [Explorer.Candidate]) -> Int {
    guard changes != nil else {
      guard weights != nil, let visits else { return generator.index(below: candidates.count) }
      return weights!.choose(among: candidates, visits, &generator)
    }
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
