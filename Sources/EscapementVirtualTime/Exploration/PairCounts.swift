/// How often each pair of visits was seen in the runs of an exploration.
///
/// The counts have a fixed size, so that a long exploration needs no more memory than a short one.
/// Pairs that share a count seem to be less new than they are.
struct PairCounts {
  private static let size = 1 << 15
  private var counts: [UInt16] = []

  /// How often a pair was seen; `nil` if no run has had its visit at an actor of several tasks.
  subscript(names: ActorVisits.Names) -> UInt16? {
    counts.isEmpty || self[names.visit] == 0 ? nil : self[names.pair]
  }

  private subscript(name: ActorVisits.Name) -> UInt16 { counts[Int(name % UInt64(Self.size))] }

  /// Counts the visits and pairs of a run.
  mutating func add(_ visits: [ActorVisits.Names]) {
    if counts.isEmpty, !visits.isEmpty { counts = Array(repeating: 0, count: Self.size) }
    for names in visits {
      for name in [names.visit, names.pair] {
        let index = Int(name % UInt64(Self.size))
        counts[index] += counts[index] < .max ? 1 : 0
      }
    }
  }
}
