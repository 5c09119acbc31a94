import Testing

@testable import EscapementVirtualTime

@Suite struct ActorVisitsTests {
  /// Candidates that go to actors, by their tasks; a task has one candidate at a time.
  private struct Run {
    var visits = ActorVisits()
    var candidateCount = 0
    var pairs: [ActorVisits.Name?] = []

    mutating func add(_ task: Int, to actor: UInt) -> Explorer.Candidate {
      visits.add(task: task, actor: actor)
      candidateCount += 1
      return Explorer.Candidate(task: task, priority: 0, number: candidateCount - 1)
    }

    /// Lets tasks go to an actor, in an order.
    mutating func visit(_ actor: UInt, _ tasks: [Int]) {
      for task in tasks {
        let candidate = add(task, to: actor)
        pairs.append(visits.runs(candidate))
      }
    }
  }

  /// A run in which tasks 1 to 3 have appeared in their order.
  private func run() -> Run {
    var run = Run()
    for task in 1...3 { _ = run.add(task, to: 0) }
    return run
  }

  @Test func `the pairs of an order are the same in each run, wherever its actors are`() {
    func pairs(_ actors: [UInt]) -> [ActorVisits.Name?] {
      var run = run()
      for actor in actors { run.visit(actor, [1, 2, 3, 1]) }
      return run.pairs
    }
    #expect(pairs([100, 200]) == pairs([300, 16]))
    #expect(Set(pairs([100, 200])).count == 8)
  }

  @Test func `all orders of three visits have pairs that no other order has`() {
    let orders = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]]
    var all: Set<[ActorVisits.Name?]> = []
    for order in orders {
      var run = run()
      run.visit(100, order)
      all.insert(run.pairs)
    }
    #expect(all.count == orders.count)
  }

  @Test func `a pair is another one after the task has found something else at its last actor`() {
    func pair(_ first: [Int]) -> ActorVisits.Name? {
      var run = run()
      run.visit(100, first)
      run.visit(200, [1])
      return run.pairs.last!
    }
    #expect(pair([1, 2]) == pair([1, 3]))
    #expect(pair([1, 2]) != pair([2, 1]))
  }

  @Test func `the next pair is that of the candidate if it is next`() {
    var run = run()
    run.visit(100, [1])
    let candidates = [run.add(2, to: 100), run.add(3, to: 100)]
    let pairs = candidates.map { run.visits.pair(of: $0) }
    #expect(run.visits.runs(candidates[0]) == pairs[0])
    #expect(run.visits.pair(of: candidates[1]) != pairs[1])
  }

  @Test func `a candidate that goes to no actor has no pair`() {
    var run = run()
    let candidate = run.add(1, to: 0)
    #expect(run.visits.pair(of: candidate) == nil)
    #expect(run.visits.runs(candidate) == nil)
  }

  @Test func `pairs are counted, up to the largest number`() {
    var counts = PairCounts()
    #expect(counts[7] == 0)
    counts.add([7, 8, 7])
    #expect((counts[7], counts[8], counts[9]) == (2, 1, 0))
    counts.add(Array(repeating: 8, count: 70_000))
    #expect(counts[8] == .max)
  }
}
