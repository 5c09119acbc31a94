import Testing

@testable import Escapement

@Suite struct QueueEndTests {
  private func end(serving permits: Int...) throws -> QueueEnd {
    var algorithm = try Quota.all(
      .tokenBucket(capacity: 2, refill: 1, every: .nanoseconds(10)),
      .slidingWindow(limit: 2, per: .nanoseconds(15))
    ).makeAlgorithm()
    _ = algorithm.take(2, at: 0)
    return QueueEnd(serving: permits, with: algorithm, from: 0)
  }

  @Test func `the next request gets the instant that a request which has left did not need`()
    throws
  {
    var end = try end(serving: 1, 1, 1)
    #expect(end.earliest(1, from: 0, behind: 3) == 40)
    #expect(end.isRightAfterLeaving)
    #expect(end.earliest(1, from: 0, behind: 2) == 30)
    end.append(1, at: 30, behind: 2)
    #expect(end.earliest(1, from: 0, behind: 3) == 40)
    end.removeFirst()
    #expect(end.earliest(1, from: 15, behind: 1) == 30)
    #expect(end.earliest(1, from: 15, behind: 2) == 40)
  }

  @Test func `a request for another number of permits does not get that instant`() throws {
    let end = try end(serving: 1, 1, 1)
    #expect(end.earliest(2, from: 0, behind: 2) == nil)
    #expect(end.earliest(2, from: 0, behind: 3) == 50)
  }

  @Test func `the instants depend on which request leaves if they are not alike`() throws {
    var end = try end(serving: 1, 2)
    #expect(!end.isRightAfterLeaving)
    end = try self.end(serving: 2, 2)
    #expect(end.isRightAfterLeaving)
    end.append(1, at: 50, behind: 2)
    #expect(!end.isRightAfterLeaving)
  }
}
