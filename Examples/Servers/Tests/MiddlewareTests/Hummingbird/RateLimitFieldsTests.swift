import HTTPTypes
import Testing

@testable import EscapementHummingbird

@Suite struct RateLimitFieldsTests {
  @Test(
    arguments: [
      (.slidingWindow(limit: 100, per: .seconds(60)), #""a";q=100;w=60"#),
      (.slidingWindow(limit: 100, per: .milliseconds(100)), #""a";q=100;w=1"#),
      (.slidingWindow(limit: 100, per: .milliseconds(1_001)), #""a";q=100;w=2"#),
      // The bucket is full again after 20 seconds.
      (.tokenBucket(capacity: 10, refill: 5, every: .seconds(10)), #""a";q=10;w=20"#),
      (
        .tokenBucket(
          capacity: 1_000_000_000_000, refill: 1, every: .seconds(3_000_000_000)),
        #""a";q=1000000000000;w=999999999999999"#
      ),
      (
        .all(
          .tokenBucket(capacity: 10, refill: 10, every: .seconds(1)),
          .slidingWindow(limit: 1_000, per: .seconds(3_600))),
        #""a-1";q=10;w=1, "a-2";q=1000;w=3600"#
      ),
    ] as [(Quota, String)])
  func `a quota is told as a policy`(quota: Quota, policy: String) throws {
    #expect(try RateLimitFields(quota, name: "a").policy == policy)
  }

  @Test func `a decision is told as a limit`() throws {
    let fields = try RateLimitFields(.slidingWindow(limit: 2, per: .seconds(9)), name: #"x"y\"#)
    let name = #""x\"y\\""#
    #expect(fields.policy == #"\#(name);q=2;w=9"#)
    let allowed = fields.fields(for: .allowed(remaining: 1))
    #expect(allowed[.rateLimit] == "\(name);r=1")
    #expect(allowed[.retryAfter] == nil)
    for (time, seconds) in [
      (Duration.zero, 1), (.nanoseconds(1), 1), (.seconds(1), 1),
      (.seconds(1) + .nanoseconds(1_000), 2),
    ] {
      let denied = fields.fields(for: .denied(retryAfter: time))
      #expect(denied[.rateLimit] == "\(name);r=0;t=\(seconds)")
      #expect(denied[.retryAfter] == "\(seconds)")
    }
  }

  @Test func `a name that no field can have is refused`() {
    let quota = Quota.slidingWindow(limit: 2, per: .seconds(9))
    for name in ["café", "a\n"] {
      let error = #expect(throws: InvalidArgumentError.self) {
        try RateLimitFields(quota, name: name)
      }
      #expect(error?.argument == "name")
    }
  }
}
