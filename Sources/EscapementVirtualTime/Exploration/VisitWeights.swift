import _EscapementCore

/// Draws which candidate is next, with weights that follow from the visits to actors that the runs
/// before have seen.
struct VisitWeights {
  private let counts: VisitCounts
  /// Whether a new pair of visits is more likely.
  ///
  /// If not, visits wait until nothing else is possible, so that their order is all that is drawn.
  private let newPairsFirst: Bool
  /// Whether the weight of a task is proportional to the number of visits that it still makes.
  private let byVisitsLeft: Bool
  /// How many visits each task still makes, by its number, if these are as many as usual.
  private var left = [0]
  /// How often the last pair of this run was seen.
  private var latestCount: UInt16 = 0
  /// How many decisions visits have waited for other steps: the next one, and all in this run.
  private var waited = (since: 0, all: 0)
  /// The candidates that a decision looks at, in memory that is used again.
  private var looked: [(index: Int, count: Int, isVisit: Bool)] = []

  init(_ counts: VisitCounts, newPairsFirst: Bool, byVisitsLeft: Bool) {
    self.counts = counts
    self.newPairsFirst = newPairsFirst
    self.byVisitsLeft = byVisitsLeft
  }

  /// A candidate is next.
  mutating func runs(_ candidate: Explorer.Candidate, _ visits: ActorVisits) {
    latestCount = count(of: candidate, visits)
    guard isVisit(candidate, visits) else { return }
    waited.since = 0
    if byVisitsLeft { left[candidate.task] = left(of: candidate.task, visits) - 1 }
  }

  /// Draws the index of the candidate that is next.
  mutating func choose(
    among candidates: [Explorer.Candidate], _ visits: ActorVisits, _ generator: inout SplitMix64
  ) -> Int {
    look(at: candidates, visits, &generator)
    // Visits do not wait for ever: some task may yield until they have happened.
    let visitsWait =
      !newPairsFirst && waited.since < 64 && waited.all < 1024
      && looked.contains { $0.isVisit } && looked.contains { !$0.isVisit }
    if visitsWait { waited = (waited.since + 1, waited.all + 1) }
    let least = looked.reduce(.max) { min($0, $1.count) }
    var (choice, total) = (0, 0)
    for (index, count, isVisit) in looked where !(visitsWait && isVisit) {
      // At least a sixteenth: a call for which others wait in a loop has to come at some time.
      var weight = newPairsFirst ? max(1, 16 * least / count) : 1
      if byVisitsLeft { weight *= max(1, left(of: candidates[index].task, visits)) }
      total += weight
      if generator.index(below: total) < weight { choice = index }
    }
    return choice
  }

  /// Looks at some of many candidates, so that a decision costs little more than among few.
  private mutating func look(
    at candidates: [Explorer.Candidate], _ visits: ActorVisits, _ generator: inout SplitMix64
  ) {
    // How many new pairs there are among few is enough. But visits wait for all other steps.
    let most = newPairsFirst ? 8 : 64
    looked.removeAll(keepingCapacity: true)
    for place in 0..<min(most, candidates.count) {
      let index = candidates.count > most ? generator.index(below: candidates.count) : place
      let candidate = candidates[index]
      looked.append(
        newPairsFirst
          ? (index, 1 + Int(count(of: candidate, visits)), false)
          : (index, 1, isVisit(candidate, visits)))
    }
  }

  private func isVisit(_ candidate: Explorer.Candidate, _ visits: ActorVisits) -> Bool {
    visits.visit(of: candidate).map { counts.isShared($0) } ?? false
  }

  /// How often the runs before have seen the pair of a candidate; that of the latest pair if it
  /// makes none.
  private func count(of candidate: Explorer.Candidate, _ visits: ActorVisits) -> UInt16 {
    visits.names(of: candidate).flatMap { counts[$0] } ?? latestCount
  }

  private mutating func left(of task: Int, _ visits: ActorVisits) -> Int {
    while left.count <= task {
      left.append(counts.usual(ofTask: visits.name(ofTask: left.count)))
    }
    return left[task]
  }
}
