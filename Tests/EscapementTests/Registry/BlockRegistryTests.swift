import EscapementTesting
import Foundation
import TestSupport
import Testing

@testable import Escapement

@Suite(.virtualTime) struct BlockRegistryTests {
  private struct Failure: Error {}

  private let time = VirtualTime.current!
  private let log = Log<String>()
  private let numbers = Numbers()

  /// A configuration whose numbers a test changes.
  private final class Numbers: Sendable {
    private let log = Log<[String: Double]>()
    var all: [String: Double] {
      get { log.entries.last ?? [:] }
      set { log.append(newValue) }
    }
  }

  private func makeRegistry() -> BlockRegistry<VirtualTime> {
    BlockRegistry(
      clock: time, onEvent: { [log] block, event in log.append("\(block): \(event)") },
      value: { [numbers] in numbers.all[$0] })
  }

  @Test func `a block has the numbers of the code, and those of the configuration in their place`()
    throws
  {
    numbers.all = ["shop.percent": 30, "shop.openDuration": 1.5, "other.window": 1]
    let blocks = makeRegistry()
    let policy = CircuitBreakerPolicy.failureRate(percent: 50, over: .seconds(10))
    #expect(
      try blocks.circuitBreaker("shop", policy).policy
        == .failureRate(percent: 30, over: .seconds(10), openFor: .milliseconds(1_500)))
    #expect(try blocks.circuitBreaker("plain", policy).policy == policy)
  }

  @Test(arguments: [
    (Quota.tokenBucket(capacity: 1, refill: 1, every: .seconds(1)), ["capacity", "refill"]),
    (.slidingWindow(limit: 1, per: .seconds(1)), ["limit"]),
    (
      .all(
        .tokenBucket(capacity: 1, refill: 1, every: .seconds(1)),
        .slidingWindow(limit: 1, per: .seconds(1))), ["1.capacity", "2.limit"]
    ),
  ])
  func `all numbers of a quota can be set`(quota: Quota, names: [String]) throws {
    for name in names { numbers.all["api.\(name)"] = 7 }
    #expect(try makeRegistry().quotaLimiter("api", quota).remaining == 7)
  }

  @Test func `an adaptive limit stays within the range of the configuration`() throws {
    numbers.all = ["a.minimum": 30, "b.maximum": 10]
    let blocks = makeRegistry()
    #expect(try blocks.concurrencyLimiter("a", .vegas()).limit == 30)
    #expect(try blocks.concurrencyLimiter("b", .vegas()).limit == 10)
    numbers.all = ["c.minimum": 2_000]
    let error = #expect(throws: InvalidArgumentError.self) {
      try blocks.concurrencyLimiter("c", .vegas())
    }
    #expect(
      "\(try #require(error))" == "'c.minimum' is 2000, but must be at most c.maximum (1000).")
    for (name, bound) in [("minimum", 0), ("maximum", 1_000_001)] {
      numbers.all = ["c.\(name)": Double(bound)]
      let outside = InvalidArgumentError("c.\(name)", bound, mustBe: "between 1 and 1,000,000")
      #expect(throws: outside) { try blocks.concurrencyLimiter("c", .vegas()) }
    }
  }

  @Test func `a quota that is not valid is named by its index`() throws {
    let window = Quota.slidingWindow(limit: 1, per: .seconds(1))
    let blocks = makeRegistry()
    _ = try blocks.quotaLimiter("api", .all(window, .all(window, window)))
    numbers.all = ["api.2.1.limit": 0]
    let error = #expect(throws: InvalidArgumentError.self) { try blocks.reload() }
    #expect("\(try #require(error))" == "'api.2.1.limit' is 0, but must be between 1 and 10^12.")
  }

  @Test func `a reload keeps what an adaptive limit has learned, and what was replaced by hand`()
    throws
  {
    let blocks = makeRegistry()
    let adaptive = try blocks.concurrencyLimiter("a", .vegas())
    try adaptive.replaceLimit(with: .vegas(initial: 7))
    let faults = try blocks.faultInjector("b", [.outcome(share: 0)])
    faults.faults = [try .outcome(share: 1)]
    try blocks.reload()
    #expect(adaptive.limit == 7)
    #expect(faults.faults[0].share == 1)
    numbers.all = ["a.minimum": 3, "b.1.share": 0.5]
    try blocks.reload()
    #expect(adaptive.limit == 20)
    #expect(faults.faults[0].share == 0.5)
  }

  @Test func `a configuration that changes while a block is made is minded`() throws {
    let calls = Log<Void>()
    let blocks = BlockRegistry(clock: time) { key in
      defer { calls.append(()) }
      return key == "a.limit" ? (calls.count == 0 ? 1 : 2) : nil
    }
    #expect(try blocks.concurrencyLimiter("a", .fixed(9)).limit == 2)
  }

  @Test func `a policy gets a limit for slow calls from the configuration`() throws {
    numbers.all = ["a.slowCall": 2]
    let breaker = try makeRegistry().circuitBreaker("a", .failures(1, ofLast: 1))
    #expect(breaker.policy == .failures(1, ofLast: 1, slowerThan: .seconds(2)))
  }

  @Test func `a share that is not valid is named by its index`() throws {
    let blocks = makeRegistry()
    _ = try blocks.faultInjector("chaos", [.outcome(share: 0), .outcome(share: 0)])
    numbers.all = ["chaos.2.share": 1.5]
    let error = #expect(throws: InvalidArgumentError.self) { try blocks.reload() }
    #expect(error?.argument == "chaos.2.share")
  }

  @Test func `a longest wait that comes too late does not keep the other numbers away`() throws {
    let blocks = makeRegistry()
    let limiter = try blocks.concurrencyLimiter("a", .fixed(1))
    numbers.all = ["a.limit": 3, "a.maximumDelay": 5]
    try blocks.reload()
    #expect(limiter.limit == 3)
  }

  @Test func `the largest number of calls that wait can be written`() throws {
    numbers.all = ["a.maximumWaiting": Double(Int.max)]
    #expect(throws: Never.self) { try makeRegistry().concurrencyLimiter("a", .fixed(1)) }
  }

  @Test func `a name is that of one block`() throws {
    let blocks = makeRegistry()
    let first = try blocks.concurrencyLimiter("a", .fixed(1))
    #expect(try blocks.concurrencyLimiter("a", .fixed(2)) === first)
    let error = #expect(throws: InvalidArgumentError.self) {
      try blocks.quotaLimiter("a", .slidingWindow(limit: 1, per: .seconds(1)))
    }
    #expect(
      "\(try #require(error))" == """
        'name' is a, but must be that of one block (ConcurrencyLimiter<VirtualTime> has it already).
        """)
  }

  @Test func `a reload brings new numbers into blocks that are in use`() async throws {
    let blocks = makeRegistry()
    let limiter = try blocks.concurrencyLimiter("limit", .fixed(1))
    let quota = try blocks.quotaLimiter("quota", .slidingWindow(limit: 1, per: .seconds(10)))
    let keys = try blocks.keyedQuotaLimiter("keys", .slidingWindow(limit: 1, per: .seconds(10)))
    let faults = try blocks.faultInjector("faults", [.error(Failure(), share: 0)])
    let running = (1...3).map { _ in
      Task { try await limiter.run { try await time.sleep(for: .seconds(5)) } }
    }
    await time.settle()
    #expect(limiter.waiting == 2)
    _ = quota.tryAcquire()
    _ = keys.tryAcquire(for: "a")

    let throttle = try blocks.adaptiveThrottle("throttle")
    for _ in 1...2 { _ = try? await throttle.run { throw Failure() } }
    #expect(throttle.refusalProbability > 0.4)

    numbers.all = [
      "throttle.multiplier": 3, "limit.limit": 3, "quota.limit": 4, "keys.limit": 5,
      "faults.1.share": 1,
    ]
    try blocks.reload()
    await time.settle()
    #expect(limiter.running == 3)
    #expect(throttle.refusalProbability == 0)
    #expect(quota.remaining == 3)
    #expect(keys.remaining(for: "a") == 4)
    #expect(keys.remaining(for: "b") == 5)
    await #expect(throws: Failure.self) { try await faults.run {} }
    for task in running { try await task.value }
  }

  @Test func `the bounds of a queue, and the numbers of a throttle, are in the configuration`()
    async throws
  {
    numbers.all = ["a.maximumWaiting": 0, "b.window": 5, "b.multiplier": 1.5]
    let blocks = makeRegistry()
    let limiter = try blocks.concurrencyLimiter("a", .fixed(1), maximumDelay: .seconds(60))
    let throttle = try blocks.adaptiveThrottle("b")
    try await limiter.run {
      _ = await #expect(throws: ConcurrencyLimitError.self) { try await limiter.run {} }
    }
    for _ in 1...10 { _ = try? await throttle.run {} }
    for _ in 1...10 { _ = try? await throttle.run { throw Failure() } }
    #expect(throttle.refusalProbability > 0)
    #expect(
      blocks.states["b"] == .adaptiveThrottle(refusalProbability: throttle.refusalProbability))
    try await time.sleep(for: .seconds(6))
    #expect(throttle.refusalProbability == 0)

    numbers.all = ["a.maximumDelay": 0, "b.multiplier": 1]
    let error = #expect(throws: InvalidArgumentError.self) { try blocks.reload() }
    #expect(error?.argument == "a.maximumDelay")
    numbers.all["a.maximumDelay"] = 1
    #expect(throws: InvalidArgumentError.self) { try blocks.reload() }
    let running = Task { try await limiter.run { try await time.sleep(for: .seconds(5)) } }
    await time.settle()
    await #expect(throws: ConcurrencyLimitError.self) { try await limiter.run {} }
    try await running.value
  }

  @Test func `a reload leaves a block alone whose numbers have not changed`() async throws {
    let blocks = makeRegistry()
    let breaker = try blocks.circuitBreaker("shop", .failures(2, ofLast: 2))
    _ = try? await breaker.run { throw Failure() }
    try blocks.reload()
    _ = try? await breaker.run { throw Failure() }
    #expect(breaker.state == .open)
  }

  @Test(arguments: [
    ("b.limit", 0.0, "'b.limit' is 0, but must be 1 or more."),
    ("b.limit", 1.5, "'b.limit' is 1.5, but must be a whole number."),
    ("b.limit", .infinity, "'b.limit' is inf, but must be a whole number."),
    ("b.limit", 1e19, "'b.limit' is 1e+19, but must be within the range of 'Int'."),
  ])
  func `a block whose new numbers are not valid keeps its own, and the others have theirs`(
    key: String, value: Double, message: String
  ) throws {
    let blocks = makeRegistry()
    let limiters = try ["a", "b", "c"].map { try blocks.concurrencyLimiter($0, .fixed(1)) }
    numbers.all = ["a.limit": 2, key: value, "c.limit": 3]
    let error = #expect(throws: InvalidArgumentError.self) { try blocks.reload() }
    #expect("\(try #require(error))" == message)
    #expect(limiters.map(\.limit) == [2, 1, 3])
  }

  @Test(arguments: [Double.nan, .infinity, 1e300, -1e300, 3.1e9])
  func `a duration that is too long is refused`(value: Double) throws {
    numbers.all = ["api.window": value]
    let error = #expect(throws: InvalidArgumentError.self) {
      try makeRegistry().quotaLimiter("api", .slidingWindow(limit: 1, per: .seconds(1)))
    }
    #expect(error?.argument == "api.window")
  }

  @Test func `the states are those of the blocks, and can be written as JSON`() async throws {
    let blocks = makeRegistry()
    let breaker = try blocks.circuitBreaker("shop", .failures(1, ofLast: 1))
    _ = try? await breaker.run { throw Failure() }
    _ = try blocks.concurrencyLimiter("warehouse", .fixed(8))
    _ = try blocks.quotaLimiter("mails", .slidingWindow(limit: 3, per: .seconds(1)))
    _ = try blocks.keyedQuotaLimiter("clients", .slidingWindow(limit: 3, per: .seconds(1)))
    _ = try blocks.faultInjector("chaos", [.outcome(share: 0.5), .outcome(share: 0)])
    _ = try blocks.adaptiveThrottle("prices")
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    let json = try encoder.encode(blocks.states)
    #expect(
      String(decoding: json, as: UTF8.self) == """
        {"chaos":{"faultInjector":{"faults":["another outcome in 0.5 of the calls"]}},\
        "clients":{"keyedQuotaLimiter":{"keys":0}},\
        "mails":{"quotaLimiter":{"remaining":3}},\
        "prices":{"adaptiveThrottle":{"refusalProbability":0}},\
        "shop":{"circuitBreaker":{"state":"open"}},\
        "warehouse":{"concurrencyLimiter":{"limit":8,"running":0,"waiting":0}}}
        """)
    #expect(try JSONDecoder().decode([String: BlockState].self, from: json) == blocks.states)
  }

  @Test func `events have the name of their block`() async throws {
    let blocks = makeRegistry()
    _ = try blocks.quotaLimiter("mails", .slidingWindow(limit: 3, per: .seconds(1))).tryAcquire(2)
    _ = try blocks.keyedQuotaLimiter("clients", .slidingWindow(limit: 3, per: .seconds(1)))
      .tryAcquire(for: "a")
    try await blocks.adaptiveThrottle("prices").run {}
    try await blocks.faultInjector("chaos", [.latency(.zero...(.zero), share: 1)]).run {}
    #expect(
      log.entries.map { String($0.prefix(24)) }
        == [
          "mails: granted(2)", "clients: granted(1)", "prices: begun", "prices: ended(nil)",
          "chaos: injected(a latency",
        ].map { String($0.prefix(24)) })
  }
}
