import Testing

@testable import Escapement

@Suite struct LeaseRecordTests {
  private var record = LeaseRecord()

  private mutating func change(
    _ action: LeaseRequest.Action, by owner: Int64, at now: Int64, run: Int64 = 0
  ) -> LeaseReply {
    record.change(LeaseRequest(action: action, owner: owner, duration: 10, run: run), now: now)
  }

  @Test mutating func `the lease is free when its duration has passed`() {
    #expect(change(.acquire, by: 1, at: 100) == .granted(token: 100))
    #expect(change(.acquire, by: 2, at: 109) == .refused(token: 100, freeAfter: 1))
    #expect(change(.acquire, by: 2, at: 110) == .granted(token: 110))
    #expect(change(.renew, by: 1, at: 110) == .refused(token: 110, freeAfter: 10))
    #expect(change(.release, by: 1, at: 110) == .refused(token: 110, freeAfter: 10))
  }

  @Test mutating func `a renewal extends the lease with the same token`() {
    #expect(change(.acquire, by: 1, at: 100) == .granted(token: 100))
    #expect(change(.renew, by: 1, at: 105) == .granted(token: 100))
    #expect(change(.acquire, by: 2, at: 114) == .refused(token: 100, freeAfter: 1))
  }

  @Test mutating func `a lease that is released is free at once`() {
    #expect(change(.acquire, by: 1, at: 100) == .granted(token: 100))
    #expect(change(.release, by: 1, at: 101) == .granted(token: 100))
    #expect(change(.renew, by: 1, at: 101) == .refused(token: 100, freeAfter: 0))
    #expect(change(.acquire, by: 2, at: 101) == .granted(token: 101))
  }

  @Test mutating func `a token is larger than those of a record that was lost`() {
    #expect(change(.acquire, by: 1, at: 100) == .granted(token: 100))
    #expect(change(.release, by: 1, at: 100) == .granted(token: 100))
    #expect(change(.acquire, by: 2, at: 100) == .granted(token: 101))
    record = LeaseRecord()
    #expect(change(.acquire, by: 3, at: 102) == .granted(token: 102))
  }

  @Test mutating func `when the clock is set back, the lease ends after its duration`() {
    #expect(change(.acquire, by: 1, at: 1_000) == .granted(token: 1000))
    #expect(change(.acquire, by: 2, at: 100) == .refused(token: 1000, freeAfter: 10))
    #expect(change(.acquire, by: 2, at: 109) == .refused(token: 1000, freeAfter: 1))
    #expect(change(.acquire, by: 2, at: 110) == .granted(token: 1001))
  }

  @Test mutating func `a run that is done is not granted again, nor is an earlier one`() {
    #expect(change(.acquire, by: 1, at: 0, run: 5) == .granted(token: 1))
    #expect(change(.release, by: 1, at: 1, run: 5) == .granted(token: 1))
    #expect(change(.acquire, by: 2, at: 2, run: 4) == .done(token: 1))
    #expect(change(.acquire, by: 2, at: 2, run: 5) == .done(token: 1))
    #expect(change(.acquire, by: 2, at: 2, run: 6) == .granted(token: 2))
  }

  @Test mutating func `a run at most once is done when it begins, except for its holder`() {
    #expect(change(.acquireAndFinish, by: 1, at: 0, run: 5) == .granted(token: 1))
    #expect(change(.acquireAndFinish, by: 2, at: 20, run: 5) == .done(token: 1))
    // Its first reply was lost.
    #expect(change(.acquireAndFinish, by: 1, at: 20, run: 5) == .granted(token: 20))
  }

  @Test(arguments: [
    [], [1], [3, 0, 0], [1, 0], [1, 1, 0, 0], [1, 0, 0], [1, -1, 0], [0, -1, 0], [0, 1, -1],
    [2, 1, 0], [2, -1, 0],
  ])
  func `a reply that is not a decision is an error`(reply: [Int64]) {
    #expect(throws: SharedStoreError.unexpectedReply(reply)) {
      try LeaseReply(reply, to: LeaseRequest(action: .acquire, owner: 1))
    }
  }

  @Test func `only a request for a run is answered that the run is done`() throws {
    let request = LeaseRequest(action: .acquire, owner: 1, run: 1)
    #expect(try LeaseReply([2, 1, 0], to: request) == .done(token: 1))
  }
}
