import TestSupport
import Testing

@testable import EscapementVirtualTime

@Suite struct ScheduleSamplerTests {
  @Test(arguments: [1, 3, 16] as [UInt64])
  func `by turns, the seeds of each shard select all strategies`(shardCount: UInt64) {
    for first in 0..<shardCount {
      var counts: [ExplorationStrategy: Int] = [:]
      for index in 0..<800 as Range<UInt64> {
        counts[.byTurns.selected(by: first + index * shardCount), default: 0] += 1
      }
      #expect((350...450).contains(counts[.newPairsFirst]!))
      #expect((250...350).contains(counts[.random]!))
      #expect((1...5).allSatisfy { counts[.probabilistic(depth: $0)]! > 5 })
      #expect(counts.count == 7)
    }
    #expect(ExplorationStrategy.random.selected(by: 3) == .random)
  }

  /// Runs so many tasks, each of one job, and returns the order.
  private func order(of count: Int, _ strategy: ExplorationStrategy, seed: UInt64) -> [Int] {
    var explorer = Explorer(.seed(seed, strategy), counts: PairCounts())
    var left = (1...count).map { explorer.add(taskID: UInt64(100 + $0)) }
    var order: [Int] = []
    while left.count > 1 {
      order.append(left.remove(at: explorer.decide(among: left, at: 0)).task)
    }
    return order + [left[0].task]
  }

  @Test(arguments: [
    ExplorationStrategy.newPairsFirst, .random, .probabilistic(depth: 1),
    .probabilistic(depth: 3), .byTurns,
  ])
  func `every order of three tasks is drawn, and a seed draws it again`(
    strategy: ExplorationStrategy
  ) {
    var orders: Set<[Int]> = []
    for seed in 0..<200 as Range<UInt64> {
      let order = order(of: 3, strategy, seed: seed)
      #expect(order.sorted() == [1, 2, 3])
      #expect(self.order(of: 3, strategy, seed: seed) == order)
      orders.insert(order)
    }
    #expect(orders.count == 6)
  }

  /// Two tasks go to an actor, one after the other; returns who was there first in each run.
  private func firstVisitors(_ runs: Int, _ strategy: ExplorationStrategy) -> [Int] {
    var counts = PairCounts()
    return (0..<runs).map { run in
      var explorer = Explorer(.seed(UInt64(run), strategy), counts: counts)
      var left = (8...9).map { explorer.add(taskID: $0, actor: 1) }
      let first = left.remove(at: explorer.decide(among: left, at: 0))
      for candidate in [first, left[0]] { explorer.runs(candidate) }
      counts.add(explorer.sharedVisits)
      return first.task
    }
  }

  @Test func `new pairs come first, so both orders of two visits come equally often`() {
    let visitors = firstVisitors(1_000, .newPairsFirst)
    // At no time is one order ahead by much, as it is when each one is drawn with the same
    // probability.
    var (lead, greatestLead) = (0, 0)
    for visitor in visitors {
      lead += visitor == 1 ? 1 : -1
      greatestLead = max(greatestLead, abs(lead))
    }
    #expect(Set(visitors) == [1, 2])
    #expect(greatestLead < 40)
    #expect(firstVisitors(1_000, .newPairsFirst) == visitors)
  }

  /// How often one of some visits to an actor is next that always came first before.
  private func repetitions(of count: Int, seeds: Range<UInt64>, to actor: (Int) -> Int) -> Int {
    var counts = PairCounts()
    func explorer(_ seed: UInt64) -> (Explorer, [Explorer.Candidate]) {
      var explorer = Explorer(.seed(seed, .newPairsFirst), counts: counts)
      let candidates = (1...count).map { explorer.add(taskID: UInt64($0), actor: actor($0)) }
      return (explorer, candidates)
    }
    for _ in 0..<1_000 {
      var (explorer, candidates) = explorer(0)
      for candidate in candidates { explorer.runs(candidate) }
      counts.add(explorer.sharedVisits)
    }
    return seeds.count { seed in
      var (explorer, candidates) = explorer(seed)
      return explorer.decide(among: candidates, at: 0) == 0
    }
  }

  @Test func `what was never seen is next sixteen times as often`() {
    // 1,000 of 17, 65 and 113.
    for (count, expected) in [(2, 40...80), (5, 5...30), (8, 2...20)] {
      let repetitions = repetitions(of: count, seeds: 0..<1_000) { _ in 1 }
      #expect(expected.contains(repetitions), "\(repetitions) of 1,000 with \(count) visits")
    }
  }

  @Test func `visits to actors of single tasks are not held back`() {
    let repetitions = repetitions(of: 5, seeds: 0..<1_000) { $0 }
    #expect(150...250 ~= repetitions)
  }

  @Test func `with depth 1, a task keeps its place before another one`() {
    for seed in 0..<50 as Range<UInt64> {
      var explorer = Explorer(.seed(seed, .probabilistic(depth: 1)))
      let winners = (0..<20).map { _ in
        let candidates = [explorer.add(taskID: 8), explorer.add(taskID: 9)]
        return candidates[explorer.decide(among: candidates, at: 0)].task
      }
      #expect(Set(winners).count == 1)
    }
  }

  @Test func `with depth 2, the order of two tasks changes once at most`() {
    var changes: Set<Int> = []
    for seed in 0..<200 as Range<UInt64> {
      var explorer = Explorer(.seed(seed, .probabilistic(depth: 2)))
      let winners = (0..<20).map { _ in
        let candidates = [explorer.add(taskID: 8), explorer.add(taskID: 9)]
        return candidates[explorer.decide(among: candidates, at: 0)].task
      }
      changes.insert(zip(winners, winners.dropFirst()).count { $0 != $1 })
    }
    #expect(changes == [0, 1])
  }

  @Test(arguments: 1...5)
  func `a task that yields lets all others go first`(depth: Int) {
    for seed in 0..<50 as Range<UInt64> {
      var explorer = Explorer(.seed(seed, .probabilistic(depth: depth)))
      // At `depth - 1` decision points the other task falls behind the yield that is there already.
      var exceptions = 0
      for _ in 0..<2_000 {
        let candidates = [explorer.add(taskID: nil, yieldingID: 9), explorer.add(taskID: 8)]
        exceptions += explorer.decide(among: candidates, at: 0) == 0 ? 1 : 0
      }
      #expect(exceptions < depth)
    }
  }
}
