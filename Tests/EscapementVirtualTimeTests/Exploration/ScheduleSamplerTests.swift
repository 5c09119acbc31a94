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
      #expect((450...550).contains(counts[.newPairsFirst]!))
      #expect((150...250).contains(counts[.uniform]!))
      #expect((1...5).allSatisfy { counts[.probabilistic(depth: $0)]! > 5 })
      #expect(counts.count == 7)
    }
    #expect(ExplorationStrategy.random.selected(by: 3) == .random)
  }

  /// Runs so many tasks, each of one job, and returns the order.
  private func order(of count: Int, _ strategy: ExplorationStrategy, seed: UInt64) -> [Int] {
    var explorer = Explorer(.seed(seed, strategy), counts: VisitCounts())
    var left = (1...count).map { explorer.add(taskID: UInt64(100 + $0)) }
    var order: [Int] = []
    while left.count > 1 {
      order.append(left.remove(at: explorer.decide(among: left, at: 0)).task)
    }
    return order + [left[0].task]
  }

  @Test(arguments: [
    ExplorationStrategy.newPairsFirst, .uniform, .random, .probabilistic(depth: 1),
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
  private func firstVisitors(_ seeds: Range<UInt64>, _ strategy: ExplorationStrategy) -> [Int] {
    var counts = VisitCounts()
    return seeds.map { seed in
      var explorer = Explorer(.seed(seed, strategy), counts: counts)
      var left = (8...9).map { explorer.add(taskID: $0, actor: 1) }
      let first = left.remove(at: explorer.decide(among: left, at: 0))
      for candidate in [first, left[0]] { explorer.runs(candidate) }
      counts.add(explorer.sharedVisits)
      return first.task
    }
  }

  @Test func `new pairs come first, so both orders of two visits come equally often`() {
    /// By how much one order is ahead after 200 runs: the mean of the squares in 100 searches.
    func lead(_ strategy: ExplorationStrategy) -> Int {
      let squares = (0..<100 as Range<UInt64>).map { search in
        let visitors = firstVisitors(search * 200..<(search + 1) * 200, strategy)
        let lead = visitors.reduce(0) { $0 + ($1 == 1 ? 1 : -1) }
        return lead * lead
      }
      return squares.reduce(0, +) / squares.count
    }
    let (newPairsFirst, random) = (lead(.newPairsFirst), lead(.random))
    #expect((150...250).contains(random), "It is 200.")
    #expect(newPairsFirst < random / 2, "\(newPairsFirst)")
    let visitors = firstVisitors(0..<200, .newPairsFirst)
    #expect(Set(visitors) == [1, 2])
    #expect(firstVisitors(0..<200, .newPairsFirst) == visitors)
  }

  /// How often one of some visits to an actor is next that always came first before.
  private func repetitions(of count: Int, seeds: Range<UInt64>, to actor: (Int) -> Int) -> Int {
    var counts = VisitCounts()
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

  /// The order in which tasks come to an actor.
  ///
  /// Each task has its number of visits, and makes `stepsBetween` other steps before each of them.
  private func visitors(
    _ seed: UInt64, _ strategy: ExplorationStrategy, _ counts: inout VisitCounts,
    visits: [Int], stepsBetween: Int
  ) -> [Int] {
    var explorer = Explorer(.seed(seed, strategy), counts: counts)
    var left = visits.map { $0 * (stepsBetween + 1) }
    func next(_ task: Int) -> Explorer.Candidate {
      let isVisit = left[task] % (stepsBetween + 1) == 1 || stepsBetween == 0
      return explorer.add(taskID: UInt64(100 + task), actor: isVisit ? 1 : 0)
    }
    var candidates = visits.indices.map(next)
    var order: [Int] = []
    while !candidates.isEmpty {
      let choice = candidates.count > 1 ? explorer.decide(among: candidates, at: 0) : 0
      let chosen = candidates.remove(at: choice)
      explorer.runs(chosen)
      let task = chosen.task - 1
      if left[task] % (stepsBetween + 1) == 1 || stepsBetween == 0 { order.append(task) }
      left[task] -= 1
      if left[task] > 0 { candidates.append(next(task)) }
    }
    counts.add(explorer.sharedVisits)
    return order
  }

  /// How often each order comes, of 3,000.
  private func frequencies(
    _ strategy: ExplorationStrategy, visits: [Int], stepsBetween: Int
  ) -> [Int] {
    var counts = VisitCounts()
    // The first runs tell what there is.
    for seed in 0..<10 as Range<UInt64> {
      _ = visitors(seed, strategy, &counts, visits: visits, stepsBetween: stepsBetween)
    }
    var frequencies: [[Int]: Int] = [:]
    for seed in 10..<3_010 as Range<UInt64> {
      let order = visitors(seed, strategy, &counts, visits: visits, stepsBetween: stepsBetween)
      frequencies[order, default: 0] += 1
    }
    return frequencies.values.sorted()
  }

  @Test(arguments: [([3, 1], 4), ([2, 2], 6), ([2, 1, 1], 12)], [0, 1, 5])
  func `all orders of visits are equally likely, whatever is between them`(
    visits: ([Int], orders: Int), stepsBetween: Int
  ) {
    let frequencies = frequencies(.uniform, visits: visits.0, stepsBetween: stepsBetween)
    let mean = 3_000 / visits.orders
    #expect(frequencies.count == visits.orders)
    #expect(frequencies.allSatisfy { (mean * 3 / 4...mean * 5 / 4).contains($0) }, "\(frequencies)")
  }

  @Test func `among many tasks, one that makes steps before its visit comes first as often`() {
    // The last one of twelve.
    var counts = VisitCounts()
    var first = 0
    for seed in 0..<3_000 as Range<UInt64> {
      var explorer = Explorer(.seed(seed, .uniform), counts: counts)
      var candidates = (0..<11).map { explorer.add(taskID: UInt64(100 + $0), actor: 1) }
      var steps = 3
      candidates.append(explorer.add(taskID: 111))
      while candidates.count > 1 {
        let chosen = candidates.remove(at: explorer.decide(among: candidates, at: 0))
        explorer.runs(chosen)
        guard chosen.task == 12, steps > 0 else {
          if candidates.count == 11, chosen.task == 12 { first += 1 }
          continue
        }
        steps -= 1
        candidates.append(explorer.add(taskID: 111, actor: steps == 0 ? 1 : 0))
      }
      explorer.runs(candidates[0])
      counts.add(explorer.sharedVisits)
    }
    #expect((200...300).contains(first), "\(first) of 3,000; a twelfth is 250.")
  }

  @Test func `at random, some orders of visits are much rarer than others`() {
    let frequencies = frequencies(.random, visits: [3, 1], stepsBetween: 0)
    #expect(frequencies.first! * 3 < frequencies.last!)
  }

  @Test func `a visit waits for others, but not for a task that yields for ever`() {
    var counts = VisitCounts()
    _ = visitors(0, .uniform, &counts, visits: [1, 1], stepsBetween: 0)
    for seed in 0..<50 as Range<UInt64> {
      var explorer = Explorer(.seed(seed, .uniform), counts: counts)
      let visit = explorer.add(taskID: 100, actor: 1)
      var yields = 0
      while yields < 10_000 {
        let candidates = [visit, explorer.add(taskID: nil, yieldingID: 101)]
        let choice = explorer.decide(among: candidates, at: 0)
        explorer.runs(candidates[choice])
        if choice == 0 { break }
        yields += 1
      }
      #expect((64..<100).contains(yields))
    }
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
