import TestSupport
import Testing

@testable import Escapement

@Suite struct QuotaAlgorithmTests {
  @Test func `a window may grant more permits in its life than an integer can count`() {
    var window = SlidingWindow(limit: .max / 4, window: 10)
    for time in 0..<100 as Range<Int64> {
      #expect(window.take(.max / 4, at: time * 10) == 0)
      #expect(window.take(1, at: time * 10) == nil)
    }
    #expect(window.take(1, at: 999) == nil)
    #expect(window.take(1, at: 1_000) == .max / 4 - 1)
  }

  @Test func `a smooth bucket does not drift`() throws {
    // A third of a second is not a whole number of nanoseconds.
    var algorithm = try Quota.tokenBucket(capacity: 2, refill: 3, every: .seconds(1))
      .makeAlgorithm()
    var now: Int64 = 0
    #expect(algorithm.take(2, at: now) == 0)
    for _ in 0..<9_999 {
      now = algorithm.earliest(1, from: now)
      guard algorithm.take(1, at: now) != nil else {
        Issue.record("The algorithm refused a permit at \(now).")
        return
      }
    }
    #expect(now == 3_333_000_000_000)
  }

  @Test func `a smooth bucket grants each permit at its nanosecond`() throws {
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

  @Test func `a bucket that refills in intervals gets all permits at the end of each`() throws {
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

  @Test func `permits of a smooth bucket with a capacity of one are evenly spaced`() throws {
    var algorithm = try Quota.tokenBucket(
      capacity: 1, refill: 10, every: .nanoseconds(100)
    ).makeAlgorithm()
    #expect(algorithm.take(1, at: 0) == 0)
    #expect(algorithm.take(1, at: 9) == nil)
    #expect(algorithm.take(1, at: 10) == 0)
    #expect(algorithm.take(1, at: 1000) == 0)
    #expect(algorithm.earliest(1, from: 1000) == 1010)
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
    (.slidingWindow(limit: 1, per: .seconds(4_000_000_000)), "window", "4000000000.0 seconds"),
  ])
  func `the error names the invalid argument and its value`(
    quota: Quota, argument: String, value: String
  ) {
    let error = #expect(throws: InvalidArgumentError.self) { try quota.makeAlgorithm() }
    #expect(error?.argument == argument)
    #expect(error?.value == value)
  }
}
