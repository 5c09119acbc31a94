import TestSupport
import Testing

@testable import EscapementVirtualTime

@Suite struct ScheduleSamplerTests {
  @Test func `by turns, the seed selects the strategy`() {
    #expect(
      (0..<9).map { ExplorationStrategy.byTurns.selected(by: $0) } == [
        .partialOrderSampling, .random, .probabilistic(depth: 1),
        .partialOrderSampling, .random, .probabilistic(depth: 2),
        .partialOrderSampling, .random, .probabilistic(depth: 3),
      ])
    #expect(ExplorationStrategy.random.selected(by: 3) == .random)
  }

  /// Runs so many tasks, each of one job, and returns the order.
  private func order(of count: Int, _ strategy: ExplorationStrategy, seed: UInt64) -> [Int] {
    var explorer = Explorer(.seed(seed, strategy))
    var left = (1...count).map { explorer.add(taskID: UInt64(100 + $0)) }
    var order: [Int] = []
    while left.count > 1 {
      order.append(left.remove(at: explorer.decide(among: left, at: 0)).task)
    }
    return order + [left[0].task]
  }

  @Test(arguments: [
    ExplorationStrategy.partialOrderSampling, .random, .probabilistic(depth: 1),
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
