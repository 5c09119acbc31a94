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
  /// The pairs of the runs before, if new ones come first.
  private let counts: PairCounts?
  /// The candidates that a decision looks at, and how new they are, in memory that is used again.
  private var looked: [(index: Int, count: Int)] = []
  /// How often the last pair of this run was seen.
  private var latestCount: UInt16 = 0
  /// The next lowest priority; those that are drawn have the highest bit.
  private var lowest = UInt64(1) << 32

  /// A priority below all others.
  private mutating func nextLowest() -> UInt64 {
    lowest -= 1
    return lowest
  }

  /// - Parameter counts: The pairs that the runs before have seen; `nil` if they are not counted.
  init(seed: UInt64, strategy: ExplorationStrategy, counts: PairCounts? = nil) {
    generator = SplitMix64(seed: seed)
    visits = counts.map { _ in ActorVisits() }
    let selected = strategy.selected(by: seed)
    self.counts = selected == .newPairsFirst ? counts : nil
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
    latestCount = count(of: candidate)
    visits?.runs(candidate)
  }

  /// How often the runs before have seen the pair of a candidate; that of the latest pair if it
  /// makes none.
  private func count(of candidate: Explorer.Candidate) -> UInt16 {
    guard let counts, let names = visits?.names(of: candidate) else { return latestCount }
    return counts[names] ?? latestCount
  }

  /// One of some events besides the usual one, which is 0, with a probability.
  mutating func draw(_ count: Int, _ probability: Double) -> Int {
    let sample = Double(generator.next() >> 11) / Double(1 << 53)
    return sample < probability ? 1 + generator.index(below: count) : 0
  }

  /// The index of the candidate that is next.
  mutating func choose(_ decision: Int, among candidates: [Explorer.Candidate]) -> Int {
    guard changes != nil else {
      return counts == nil ? generator.index(below: candidates.count) : newest(of: candidates)
    }
    let choice = highest(of: candidates)
    guard changes?.points.contains(decision) == true, candidates[choice].task != 0 else {
      return choice
    }
    let lowest = nextLowest()
    changes?.set(lowest, of: candidates[choice].task)
    return highest(of: candidates)
  }

  /// Draws the index of a candidate, most likely one of a new pair.
  private mutating func newest(of candidates: [Explorer.Candidate]) -> Int {
    // Of many candidates, some are looked at, so that a decision costs little more than among few.
    let most = 8
    looked.removeAll(keepingCapacity: true)
    for index in 0..<min(most, candidates.count) {
      let index = candidates.count > most ? generator.index(below: candidates.count) : index
      looked.append((index, 1 + Int(count(of: candidates[index]))))
    }
    let least = looked.reduce(.max) { min($0, $1.count) }
    var (choice, total) = (0, 0)
    for (index, count) in looked {
      // At least a sixteenth: a call for which others wait in a loop has to come at some time.
      let weight = max(1, 16 * least / count)
      total += weight
      if generator.index(below: total) < weight { choice = index }
    }
    return choice
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
