/// How often each pair of visits was seen in the runs of an exploration, and the most visits of each
/// task.
///
/// The counts have a fixed size, so that a long exploration needs no more memory than a short one.
/// Pairs that share a count seem to be less new than they are.
struct PairCounts {
  private static let size = 1 << 15
  private var counts: [UInt16] = []
  private var mostVisits: [UInt16] = []

  /// The most visits to actors of several tasks that a task had in one run.
  func mostVisits(of task: ActorVisits.Name) -> Int {
    mostVisits.isEmpty ? 0 : Int(mostVisits[Int(task % UInt64(Self.size))])
  }

  /// How often a pair was seen; `nil` if no run has had its visit at an actor of several tasks.
  subscript(names: ActorVisits.Names) -> UInt16? {
    counts.isEmpty || self[names.visit] == 0 ? nil : self[names.pair]
  }

  private subscript(name: ActorVisits.Name) -> UInt16 { counts[Int(name % UInt64(Self.size))] }

  /// Counts the visits and pairs of a run.
  mutating func add(_ visits: [ActorVisits.Visit]) {
    if counts.isEmpty, !visits.isEmpty {
      counts = Array(repeating: 0, count: Self.size)
      mostVisits = counts
    }
    for visit in visits {
      for name in [visit.names.visit, visit.names.pair] {
        let index = Int(name % UInt64(Self.size))
        counts[index] += counts[index] < .max ? 1 : 0
      }
      let index = Int(visit.task % UInt64(Self.size))
      mostVisits[index] = max(mostVisits[index], UInt16(clamping: visit.number))
    }
  }
}
