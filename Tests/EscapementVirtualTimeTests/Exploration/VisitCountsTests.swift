import Testing

@testable import EscapementVirtualTime

@Suite struct VisitCountsTests {
  private func visit(
    _ visit: UInt64, _ pair: UInt64, ofTask task: UInt64 = 9, number: Int = 1
  ) -> ActorVisits.Shared {
    ActorVisits.Shared(
      names: ActorVisits.Names(visit: visit, pair: pair), task: task, number: number)
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

  @Test func `of each task, the most visits of a run are kept`() {
    var counts = VisitCounts()
    #expect(counts.most(ofTask: 4) == 0)
    for most in [2, 5, 3] {
      counts.add((1...most).map { visit(UInt64($0), 7, ofTask: 4, number: $0) })
    }
    counts.add([visit(1, 7, ofTask: 5, number: 70_000)])
    #expect((counts.most(ofTask: 4), counts.most(ofTask: 5)) == (5, 65_535))
    #expect(counts.most(ofTask: 6) == 0)
  }
}
