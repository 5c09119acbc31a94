/// How schedules are explored.
public struct ExplorationOptions: Sendable {
  /// How schedules are drawn.
  public var strategy: ExplorationStrategy
  /// The first seed; the others follow one by one.
  public var firstSeed: UInt64
  /// The part of the seeds that this process explores; `nil` means what the environment says.
  public var shard: Shard?
  /// How many schedules may be tried to make a failing one small.
  public var shrinkLimit: Int
  /// Whether the search ends with the first schedule that fails.
  ///
  /// Else all are tried, and the report says how many fail. The first one is made small.
  public var stopsAtFirstFailure: Bool
  /// How many runs are under way at the same time.
  public var concurrentRuns: Int {
    didSet { concurrentRuns = max(1, concurrentRuns) }
  }

  /// Creates options; every parameter has a default.
  ///
  /// - Parameters:
  ///   - strategy: How schedules are drawn.
  ///   - firstSeed: The first seed; the others follow one by one.
  ///   - shard: The part of the seeds that this process explores; `nil` means what the environment
  ///     says: `ESCAPEMENT_SHARD=3/16`, or the variables of a CI service.
  ///   - shrinkLimit: How many schedules may be tried to make a failing one small; negative numbers
  ///     count as 0.
  ///   - stopsAtFirstFailure: Whether the search ends with the first schedule that fails. Else all
  ///     are tried, and the report says how many fail.
  ///   - concurrentRuns: How many runs are under way at the same time; numbers below 1 count as 1.
  ///     The search finds the same with each number. It is fastest with twice as many as there are
  ///     cores without work. With more than one, runs must not share a global variable or actor, a
  ///     file or a port.
  public init(
    strategy: ExplorationStrategy = .byTurns, firstSeed: UInt64 = 0, shard: Shard? = nil,
    shrinkLimit: Int = 2_000, stopsAtFirstFailure: Bool = true, concurrentRuns: Int = 1
  ) {
    self.strategy = strategy
    self.firstSeed = firstSeed
    self.shard = shard
    self.shrinkLimit = max(0, shrinkLimit)
    self.stopsAtFirstFailure = stopsAtFirstFailure
    self.concurrentRuns = max(1, concurrentRuns)
  }
}
