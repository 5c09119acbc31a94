import Testing

@testable import EscapementVirtualTime

@Suite struct RunBatchTests {
  /// Lets up to three runs be under way, which end in each order, and calls a body with the runs
  /// that have ended.
  private func forAllOrders(
    failing: Set<Int>, stopsAtFirstFailure: Bool, _ body: (RunBatch, _ begun: Int) -> Void
  ) {
    func visit(_ ends: [Int]) {
      let batch = RunBatch(count: 4, stopsAtFirstFailure: stopsAtFirstFailure)
      var begun: [Int] = []
      var underWay: [Int] = []
      func fill() {
        while underWay.count < 3, let run = batch.next() {
          begun.append(run)
          underWay.append(run)
        }
      }
      fill()
      for end in ends {
        let run = underWay.remove(at: end)
        var outcome = ExploredRun.Outcome()
        outcome.jobCount = run
        if failing.contains(run) { outcome.failures = [RunFailure(EarlyError(run: run))] }
        batch.end(run, outcome)
        fill()
      }
      if underWay.isEmpty { body(batch, begun.count) }
      for end in underWay.indices { visit(ends + [end]) }
    }
    visit([])
  }

  private struct EarlyError: Error { let run: Int }

  @Test(arguments: [[], [0], [2], [3], [1, 2], [0, 3]] as [Set<Int>])
  func `outcomes end with the first failure, in whatever order the runs end`(failing: Set<Int>) {
    var orders = 0
    forAllOrders(failing: failing, stopsAtFirstFailure: true) { batch, _ in
      orders += 1
      #expect(batch.outcomes.map(\.jobCount) == Array(0...(failing.min() ?? 3)))
      #expect(batch.next() == nil)
    }
    #expect(orders > 1)
  }

  @Test(arguments: [[], [0], [1, 2]] as [Set<Int>])
  func `all runs have an outcome if failures are counted`(failing: Set<Int>) {
    forAllOrders(failing: failing, stopsAtFirstFailure: false) { batch, begun in
      #expect(begun == 4)
      #expect(batch.outcomes.map(\.jobCount) == [0, 1, 2, 3])
      #expect(Set(batch.outcomes.indices.filter { batch.outcomes[$0].cause != nil }) == failing)
    }
  }

  @Test func `no run begins after one has failed`() {
    let batch = RunBatch(count: 3, stopsAtFirstFailure: true)
    #expect(batch.next() == 0)
    var outcome = ExploredRun.Outcome()
    outcome.failures = [RunFailure(EarlyError(run: 0))]
    batch.end(0, outcome)
    #expect(batch.next() == nil)
  }
}
