import TestSupport
import Testing

@testable import Escapement

@Suite struct QuotaAlgorithmTests {
  @Test func `a smooth bucket does not drift`() throws {
    // A third of a second is no whole number of nanoseconds.
    var algorithm = try Quota.tokenBucket(capacity: 2, refill: 3, every: .seconds(1))
      .makeAlgorithm()
    var now: Int64 = 0
    #expect(algorithm.take(2, at: now) == 0)
    for _ in 0..<9_999 {
      now = algorithm.earliest(1, from: now)
      guard algorithm.take(1, at: now) != nil else {
        Issue.record("no permit at \(now)")
        return
      }
    }
    #expect(now == 3_333_000_000_000)
  }

  @Test func `a bucket that fills smoothly gives each permit at its nanosecond`() throws {
    var algorithm = try Quota.tokenBucket(capacity: 2, refill: 1, every: .nanoseconds(10))
      .makeAlgorithm()
    #expect(algorithm.take(2, at: 0) == 0)
    #expect(algorithm.take(1, at: 9) == nil)
    #expect(algorithm.earliest(1, from: 9) == 10)
    #expect(algorithm.take(1, at: 10) == 0)
    #expect(algorithm.earliest(2, from: 10) == 30)
    #expect(algorithm.take(2, at: 29) == nil)
    #expect(algorithm.take(2, at: 30) == 0)
  }

  @Test func `a bucket that fills in intervals gives all permits at their end`() throws {
    var algorithm = try Quota.tokenBucket(
      capacity: 5, refill: 2, every: .nanoseconds(10), style: .interval
    ).makeAlgorithm()
    #expect(algorithm.take(5, at: 3) == 0)
    #expect(algorithm.take(1, at: 9) == nil)
    #expect(algorithm.earliest(1, from: 9) == 10)
    #expect(algorithm.earliest(5, from: 9) == 30)
    #expect(algorithm.take(1, at: 10) == 1)
    #expect(algorithm.take(5, at: 39) == 0)
  }

  @Test func `permits one window apart are not in the same window`() throws {
    var algorithm = try Quota.slidingWindow(limit: 2, per: .nanoseconds(10)).makeAlgorithm()
    #expect(algorithm.take(1, at: 0) == 1)
    #expect(algorithm.take(1, at: 4) == 0)
    #expect(algorithm.take(1, at: 9) == nil)
    #expect(algorithm.earliest(1, from: 9) == 10)
    #expect(algorithm.earliest(2, from: 9) == 14)
    #expect(algorithm.take(1, at: 10) == 0)
  }

  @Test func `with a burst of one, permits of a cell rate are evenly spaced`() throws {
    var algorithm = try Quota.gcra(limit: 10, per: .nanoseconds(100)).makeAlgorithm()
    #expect(algorithm.take(1, at: 0) == 0)
    #expect(algorithm.take(1, at: 9) == nil)
    #expect(algorithm.take(1, at: 10) == 0)
    #expect(algorithm.take(1, at: 1000) == 0)
    #expect(algorithm.earliest(1, from: 1000) == 1010)
  }

  @Test func `a cell rate with a burst is a token bucket of that capacity`() {
    forAllSeeds { generator in
      let limit = Int.random(in: 1...6, using: &generator)
      let burst = Int.random(in: 1...6, using: &generator)
      var rate = try Quota.gcra(limit: limit, per: .nanoseconds(20), burst: burst).makeAlgorithm()
      var bucket = try Quota.tokenBucket(
        capacity: burst, refill: limit, every: .nanoseconds(20)
      ).makeAlgorithm()
      var now: Int64 = 0
      for _ in 0..<20 {
        let permits = Int.random(in: 1...burst, using: &generator)
        try require(rate.take(permits, at: now) == bucket.take(permits, at: now), "at \(now)")
        now += .random(in: 0...15, using: &generator)
      }
    }
  }

  @Test(arguments: [
    Quota.tokenBucket(
      capacity: 1_000_000_000_000, refill: 1_000_000_000_000, every: .seconds(3_000_000_000)),
    .tokenBucket(
      capacity: 1_000_000_000_000, refill: 1, every: .seconds(3_000_000_000), style: .interval),
    .tokenBucket(capacity: 1_000_000_000_000, refill: 999_999_999_989, every: .nanoseconds(1)),
    .slidingWindow(limit: 1_000_000_000_000, per: .seconds(3_000_000_000)),
  ])
  func `the largest numbers do not overflow`(quota: Quota) throws {
    var algorithm = try quota.makeAlgorithm()
    let capacity = 1_000_000_000_000
    #expect(algorithm.take(capacity, at: 0) == 0)
    let century: Int64 = 3_000_000_000_000_000_000
    #expect(algorithm.earliest(1, from: 0) > 0)
    #expect(algorithm.take(1, at: century) != nil)
    #expect(algorithm.take(1, at: 3 * century) != nil)
  }

  @Test(arguments: [
    (Quota.tokenBucket(capacity: 0, refill: 1, every: .seconds(1)), "capacity", "0"),
    (.tokenBucket(capacity: 1, refill: 0, every: .seconds(1)), "refill", "0"),
    (.tokenBucket(capacity: 1, refill: 1, every: .zero), "interval", "0.0 seconds"),
    (.tokenBucket(capacity: 1, refill: 1, every: .seconds(-1)), "interval", "-1.0 seconds"),
    (.tokenBucket(capacity: .max, refill: 1, every: .seconds(1)), "capacity", "\(Int.max)"),
    (.slidingWindow(limit: -1, per: .seconds(1)), "limit", "-1"),
    (
      .slidingWindow(limit: 1, per: Duration(attoseconds: 1)), "window",
      "\(Duration(attoseconds: 1))"
    ),
    (.gcra(limit: 1, per: .seconds(4_000_000_000)), "period", "4000000000.0 seconds"),
    (.gcra(limit: 1, per: .seconds(1), burst: 0), "burst", "0"),
  ])
  func `what cannot work is named`(quota: Quota, argument: String, value: String) {
    let error = #expect(throws: InvalidArgumentError.self) { try quota.makeAlgorithm() }
    #expect(error?.argument == argument)
    #expect(error?.value == value)
  }
}
