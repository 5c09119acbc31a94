/// What the runs of an exploration have seen of visits to actors: how often there was each pair of
/// them, and how many each task makes.
///
/// The counts have a fixed size, so that a long exploration needs no more memory than a short one.
/// Pairs that share a count seem to be less new than they are.
struct VisitCounts {
  private static let size = 1 << 15
  private var counts: [UInt16] = []
  private var mostOfTasks: [UInt16] = []

  /// Whether no run has had visits to actors of several tasks.
  var isEmpty: Bool { counts.isEmpty }

  /// How often a pair was seen; `nil` if no run has had its visit at an actor of several tasks.
  subscript(names: ActorVisits.Names) -> UInt16? {
    isShared(names.visit) ? counts[index(names.pair)] : nil
  }

  /// Whether a visit was at an actor of several tasks, in any run.
  func isShared(_ visit: ActorVisits.Name) -> Bool {
    !isEmpty && counts[index(visit)] > 0
  }

  /// The largest number of visits to actors of several tasks that a task has made in a run.
  func most(ofTask task: ActorVisits.Name) -> Int {
    mostOfTasks.isEmpty ? 0 : Int(mostOfTasks[index(task)])
  }

  private func index(_ name: ActorVisits.Name) -> Int { Int(name % UInt64(Self.size)) }

  /// Counts the visits and pairs of a run.
  mutating func add(_ visits: [ActorVisits.Shared]) {
    if counts.isEmpty, !visits.isEmpty {
      counts = Array(repeating: 0, count: Self.size)
      mostOfTasks = counts
    }
    for visit in visits {
      for name in [visit.names.visit, visit.names.pair] {
        counts[index(name)] += counts[index(name)] < .max ? 1 : 0
      }
      let task = index(visit.task)
      mostOfTasks[task] = max(mostOfTasks[task], UInt16(clamping: visit.number))
    }
  }
}
