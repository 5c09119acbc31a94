import Testing

@testable import EscapementVirtualTime

@Suite struct VisitCountsTests {
  private func visit(
    _ visit: UInt64, _ pair: UInt64, ofTask task: UInt64 = 9
  ) -> ActorVisits.Shared {
    ActorVisits.Shared(
      names: ActorVisits.Names(visit: visit, pair: pair), task: task)
  }

  @Test func `pairs are counted, up to the largest number`() {
    let (first, second) = (visit(1, 7), visit(2, 8))
    var counts = VisitCounts()
    #expect(counts[first.names] == nil)
    counts.add([first, second, first])
    #expect((counts[first.names], counts[second.names]) == (2, 1))
    #expect(counts[ActorVisits.Names(visit: 1, pair: 9)] == 0)
    #expect(counts[ActorVisits.Names(visit: 3, pair: 7)] == nil)
    counts.add(Array(repeating: second, count: 70_000))
    #expect(counts[second.names] == .max)
  }

  @Test func `a visit is shared once some run has seen it at an actor of several tasks`() {
    var counts = VisitCounts()
    #expect(!counts.isShared(1))
    counts.add([visit(1, 7)])
    #expect(counts.isShared(1))
    #expect(!counts.isShared(2))
  }

  @Test func `many pairs do not make the visits of other actors shared`() {
    var counts = VisitCounts()
    counts.add((0..<40_000).map { visit(1, $0) })
    #expect((0..<40_000).filter { counts.isShared($0) } == [1, 1 + 1 << 15])
  }

  @Test func `how many visits a task usually makes follows its runs, in small steps`() {
    var counts = VisitCounts()
    #expect(counts.usual(ofTask: 4) == 0)
    var usual: [Int] = []
    for count in [5, 5, 2, 900, 2, 2, 2, 2, 2] {
      counts.add((1...count).map { visit(UInt64($0), 7, ofTask: 4) })
      usual.append(counts.usual(ofTask: 4))
    }
    #expect(usual == [5, 5, 4, 7, 6, 5, 4, 3, 2])
    for _ in 0..<2 { counts.add((1...70_000).map { visit(UInt64($0), 7, ofTask: 5) }) }
    #expect(counts.usual(ofTask: 5) == 65_535)
    #expect(counts.usual(ofTask: 6) == 0)
  }
}
