import _EscapementCore

/// How the schedules of an exploration are drawn.
public enum ExplorationStrategy: Sendable, Hashable {
  /// By turns: ``newPairsFirst`` for five eighths of the seeds, ``uniform`` for a quarter, and
  /// ``probabilistic(depth:)`` with depths 1 to 5 for an eighth.
  ///
  /// The seed alone tells which one. No single strategy finds all kinds of bugs.
  case byTurns
  /// A task that goes to an actor is next with a lower probability if the runs before have often
  /// seen it come there after the same call of the same task.
  ///
  /// So new orders of calls that may conflict come first, also after other ones that are rare. In
  /// the first runs of an exploration, and in a run of one seed, each candidate is next with the
  /// same probability.
  ///
  /// After Wolff and others: *Greybox Fuzzing for Concurrency Testing* (ASPLOS 2024).
  case newPairsFirst
  /// All orders of the calls of shared actors are about equally likely.
  ///
  /// A task that goes to an actor of several tasks waits until all others do so or can do nothing.
  /// Then the probability of each is proportional to the number of such calls that it still makes,
  /// after what the runs before have seen. In the first runs of an exploration, and in a run of one
  /// seed, each candidate is next with the same probability.
  ///
  /// A call waits for 64 decisions at most, and those of a run for 1,024. The strategy seldom finds
  /// what needs another step to come late, or calls before a sleep in a rare order: those after the
  /// sleep count as well. The other strategies of ``byTurns`` find these.
  ///
  /// After Zhao, Wolff, Mathur, Roychoudhury: *Selectively Uniform Concurrency Testing* (ASPLOS
  /// 2025).
  case uniform
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
  ///
  /// It is drawn, and does not follow from the place of the seed: each shard has seeds at regular
  /// distances.
  func selected(by seed: UInt64) -> ExplorationStrategy {
    guard self == .byTurns else { return self }
    var generator = SplitMix64(seed: ~seed)
    return switch generator.index(below: 8) {
    case 0: .probabilistic(depth: 1 + generator.index(below: 5))
    case 1...2: .uniform
    default: .newPairsFirst
    }
  }

  /// Whether a schedule of this strategy is another one without the runs before.
  var followsFromRunsBefore: Bool { self == .newPairsFirst || self == .uniform }
}
