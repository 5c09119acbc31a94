/// The visits to actors in the runs of an exploration: how often there was each pair of them, and
/// how many each task makes.
///
/// The counts have a fixed size, so that a long exploration needs no more memory than a short one.
/// Pairs that share a count seem to be less new than they are.
struct VisitCounts {
  private static let size = 1 << 15
  private var countsOfPairs: [UInt16] = []
  private var areShared: [Bool] = []
  private var usualOfTasks: [UInt16] = []

  /// Whether no run has had visits to actors of several tasks.
  var isEmpty: Bool { areShared.isEmpty }

  /// How often a pair was seen; `nil` if no run has had its visit at an actor of several tasks.
  subscript(names: ActorVisits.Names) -> UInt16? {
    isShared(names.visit) ? countsOfPairs[index(names.pair)] : nil
  }

  /// Whether a visit was at an actor of several tasks, in any run.
  func isShared(_ visit: ActorVisits.Name) -> Bool {
    !isEmpty && areShared[index(visit)]
  }

  /// How many visits to actors of several tasks a task makes in a run: about the upper quartile.
  ///
  /// A task that asks an actor until something has changed makes any number. If the largest one
  /// counted, such a task would be preferred to the one that changes it, and would ask ever more.
  func usual(ofTask task: ActorVisits.Name) -> Int {
    isEmpty ? 0 : Int(usualOfTasks[index(task)])
  }

  private func index(_ name: ActorVisits.Name) -> Int { Int(name % UInt64(Self.size)) }

  /// Counts the visits and pairs of a run.
  mutating func add(_ visits: [ActorVisits.Shared]) {
    if isEmpty, !visits.isEmpty {
      areShared = Array(repeating: false, count: Self.size)
      countsOfPairs = Array(repeating: 0, count: Self.size)
      usualOfTasks = countsOfPairs
    }
    var made: [Int: Int] = [:]
    for visit in visits {
      areShared[index(visit.names.visit)] = true
      let pair = index(visit.names.pair)
      countsOfPairs[pair] += countsOfPairs[pair] < .max ? 1 : 0
      made[index(visit.task), default: 0] += 1
    }
    for (task, count) in made {
      let usual = Int(usualOfTasks[task])
      // Small steps, so that a run with very many visits counts as one.
      let next = usual == 0 ? count : max(usual - 1, min(usual + 3, count))
      usualOfTasks[task] = UInt16(clamping: next)
    }
  }
}
