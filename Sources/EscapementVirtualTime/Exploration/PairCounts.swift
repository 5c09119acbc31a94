/// How often each pair of visits was seen in the runs of an exploration.
///
/// The counts have a fixed size, so that a long exploration needs no more memory than a short one.
/// Pairs that share a count seem to be less new than they are.
struct PairCounts {
  private static let size = 1 << 15
  private var counts: [UInt16] = []

  subscript(pair: ActorVisits.Name) -> UInt16 {
    counts.isEmpty ? 0 : counts[Int(pair % UInt64(Self.size))]
  }

  /// Counts the pairs of a run.
  mutating func add(_ pairs: [ActorVisits.Name]) {
    if counts.isEmpty, !pairs.isEmpty { counts = Array(repeating: 0, count: Self.size) }
    for pair in pairs {
      let index = Int(pair % UInt64(Self.size))
      counts[index] += counts[index] < .max ? 1 : 0
    }
  }
}
