import Testing

@testable import Escapement

@Suite struct SharedQuotaTests {
  @Test func `a quota is passed as its kind and three numbers`() throws {
    let quota = Quota.all(
      .tokenBucket(capacity: 10, refill: 20, every: .seconds(1)),
      .tokenBucket(capacity: 10, refill: 4, every: .microseconds(7), style: .interval),
      .slidingWindow(limit: 5, per: .milliseconds(1)))
    let shared = try SharedQuota(quota)
    #expect(shared.parts == [0, 500_000, 50_000, 1, 1, 10, 4, 7, 2, 5, 1_000, 0])
    #expect(shared.span == 500_000)
  }

  @Test(arguments: [
    (Quota.tokenBucket(capacity: 1, refill: 1, every: .nanoseconds(1_001)), "interval"),
    (.slidingWindow(limit: 1, per: .nanoseconds(1)), "window"),
    (.tokenBucket(capacity: 1 << 33 + 1, refill: 1, every: .microseconds(1 << 19)), "capacity"),
    (
      .tokenBucket(
        capacity: 1 << 33, refill: 1, every: .microseconds(1 << 19), style: .interval),
      "capacity"
    ),
    (.slidingWindow(limit: 0, per: .seconds(1)), "limit"),
  ])
  func `a quota that stores cannot compute with is refused`(quota: Quota, argument: String) {
    let error = #expect(throws: InvalidArgumentError.self) { try SharedQuota(quota) }
    #expect(error?.argument == argument)
  }

  @Test func `the largest quota of a store is valid`() throws {
    let quota = Quota.tokenBucket(capacity: 1 << 33, refill: 1, every: .microseconds(1 << 19))
    #expect(try SharedQuota(quota).span == 1 << 52)
  }

  @Test func `the shares of all processes are not more than the quota`() throws {
    for processes in 1...6 {
      for refill in 1...8 {
        let smooth = Quota.tokenBucket(capacity: 6, refill: refill, every: .seconds(1))
        #expect(
          try smooth.share(of: processes)
            == .tokenBucket(capacity: 6 / processes, refill: refill, every: .seconds(processes)))
        let interval = Quota.tokenBucket(
          capacity: 6, refill: refill, every: .seconds(1), style: .interval)
        let share = try interval.share(of: processes)
        guard case .tokenBucket(let capacity, let part, let time, .interval) = share.kind else {
          Issue.record("The share is \(share).")
          return
        }
        #expect(capacity * processes <= 6)
        #expect(part * processes <= refill * Int(time / .seconds(1)))
      }
    }
    let window = Quota.slidingWindow(limit: 7, per: .seconds(1))
    #expect(try window.share(of: 2) == .slidingWindow(limit: 3, per: .seconds(1)))
    #expect(try Quota.all(window).share(of: 7) == .all(.slidingWindow(limit: 1, per: .seconds(1))))
  }

  @Test(arguments: [0, 3]) func `more processes than permits have no shares`(processes: Int) {
    let error = #expect(throws: InvalidArgumentError.self) {
      try Quota.slidingWindow(limit: 2, per: .seconds(1)).share(of: processes)
    }
    #expect(error?.argument == "processes")
  }

  @Test(arguments: [Quota.Refill.smooth, .interval])
  func `a share whose interval would be too long is refused`(style: Quota.Refill) throws {
    let quota = Quota.tokenBucket(
      capacity: 1_000_000_000_000, refill: 1, every: .seconds(3), style: style)
    _ = try quota.share(of: 1_000_000_000)
    for processes in [1_000_000_001, 1_000_000_000_000] {
      let error = #expect(throws: InvalidArgumentError.self) { try quota.share(of: processes) }
      #expect(error?.argument == "processes")
    }
    // The product is no duration any more.
    #expect(throws: InvalidArgumentError.self) {
      try Quota.tokenBucket(
        capacity: 1_000_000_000_000, refill: 1, every: .seconds(3_000_000_000), style: style
      ).share(of: 1_000_000_000_000)
    }
  }
}
