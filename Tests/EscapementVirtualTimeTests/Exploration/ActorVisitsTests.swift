import Testing

@testable import EscapementVirtualTime

@Suite struct ActorVisitsTests {
  /// Candidates that go to actors, by their tasks; a task has one candidate at a time.
  private struct Run {
    var visits = ActorVisits()
    var candidateCount = 0
    var pairs: [ActorVisits.Name?] = []

    mutating func add(_ task: Int, to actor: Int) -> Explorer.Candidate {
      visits.add(task: task, actor: actor)
      candidateCount += 1
      return Explorer.Candidate(task: task, priority: 0, number: candidateCount - 1)
    }

    /// Lets tasks go to an actor, in an order.
    mutating func visit(_ actor: Int, _ tasks: [Int]) {
      for task in tasks {
        let candidate = add(task, to: actor)
        pairs.append(visits.names(of: candidate)?.pair)
        visits.runs(candidate)
      }
    }
  }

  /// A run in which tasks 1 to 3 have appeared in their order.
  private func run() -> Run {
    var run = Run()
    for task in 1...3 { _ = run.add(task, to: 0) }
    return run
  }

  @Test func `each visit makes a pair of its own`() {
    var run = run()
    for actor in 1...2 { run.visit(actor, [1, 2, 3, 1]) }
    #expect(Set(run.pairs).count == 8)
  }

  @Test func `visits to an actor of several tasks are shared`() {
    var run = run()
    run.visit(1, [1, 1])
    #expect(run.visits.shared == [])
    run.visit(2, [1, 2])
    #expect(run.visits.shared.map(\.names.pair) == run.pairs.suffix(2))
    run.visit(1, [3])
    #expect(run.visits.shared.map(\.names.pair) == run.pairs)
  }

  @Test func `all orders of three visits have pairs that no other order has`() {
    let orders = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]]
    var all: Set<[ActorVisits.Name?]> = []
    for order in orders {
      var run = run()
      run.visit(1, order)
      all.insert(run.pairs)
    }
    #expect(all.count == orders.count)
  }

  @Test func `a pair is another one after the task has found something else at its last actor`() {
    func pair(_ first: [Int]) -> ActorVisits.Name? {
      var run = run()
      run.visit(1, first)
      run.visit(2, [1])
      return run.pairs.last!
    }
    #expect(pair([1, 2]) == pair([1, 3]))
    #expect(pair([1, 2]) != pair([2, 1]))
  }

  @Test func `the next pair is that of the candidate if it is next`() {
    var run = run()
    run.visit(1, [1])
    let candidates = [run.add(2, to: 1), run.add(3, to: 1)]
    let pairs = candidates.map { run.visits.names(of: $0)?.pair }
    run.visits.runs(candidates[0])
    #expect(run.visits.shared.last?.names.pair == pairs[0])
    #expect(run.visits.names(of: candidates[1])?.pair != pairs[1])
  }

  @Test func `a candidate that goes to no actor has no pair`() {
    var run = run()
    let candidate = run.add(1, to: 0)
    #expect(run.visits.names(of: candidate) == nil)
  }

  @Test func `a shared visit has the name of its task`() {
    var run = run()
    for (actor, tasks) in [(1, [1]), (2, [1, 2, 1]), (3, [3, 3])] { run.visit(actor, tasks) }
    #expect(run.visits.shared.map(\.task) == [1, 2, 1].map { run.visits.name(ofTask: $0) })
    #expect(Set((1...3).map { run.visits.name(ofTask: $0) }).count == 3)
  }
}
