import EscapementClocks
import TestSupport
import Testing

@testable import Escapement

@Suite struct InMemoryStoreTests {
  private let clock = SettableClock()

  private func command(_ permits: Int, of quota: Quota, key: String = "") throws -> StoreCommand {
    StoreCommand(permits, of: try SharedQuota(quota), key: key)
  }

  @Test func `the decisions are those of the reference model, in microseconds`() {
    var decisions = 0
    forAllSeeds { generator in
      var model = QuotaModel(using: &generator)
      clock.set(.zero)
      let store = InMemoryStore(clock: clock)
      // A nanosecond of the model is a microsecond.
      let quota = model.quota(unit: .microseconds(1))
      for _ in 0..<100 {
        model.advance(to: model.now + .random(in: 0...6, using: &generator))
        clock.set(.microseconds(model.now))
        let permits = Int.random(in: 1...model.capacity, using: &generator)
        let readyAt = model.readyAt(permits)
        let reply = store.decide(try command(permits, of: quota))
        let expected =
          model.tryAcquire(permits)
          ? [1, Int64(model.remaining)] : [0, Int64(readyAt - model.now)]
        try require(reply == expected, "\(quota) at \(model.now): \(reply), not \(expected)")
        decisions += 1
      }
    }
    #expect(decisions == rounds(250) * 100)
  }

  @Test func `each key has its own permits`() throws {
    let store = InMemoryStore(clock: clock)
    let quota = Quota.slidingWindow(limit: 1, per: .seconds(1))
    #expect(store.decide(try command(1, of: quota, key: "a")) == [1, 0])
    #expect(store.decide(try command(1, of: quota, key: "b")) == [1, 0])
    #expect(store.decide(try command(1, of: quota, key: "a")) == [0, 1_000_000])
  }

  @Test func `quotas that are full again take no memory`() throws {
    let store = InMemoryStore(clock: clock)
    let quota = Quota.slidingWindow(limit: 1, per: .microseconds(1_000))
    for number in 0..<20_000 {
      clock.set(.microseconds(number))
      #expect(store.decide(try command(1, of: quota, key: "\(number)")) == [1, 0])
    }
    #expect(1_000...10_000 ~= store.keyCount)
  }

  private static let quotas: [Quota] = [
    .tokenBucket(capacity: 2, refill: 2, every: .microseconds(10)),
    .tokenBucket(capacity: 2, refill: 2, every: .microseconds(5), style: .interval),
    .slidingWindow(limit: 2, per: .microseconds(10)),
  ]

  @Test(arguments: quotas)
  func `when the clock is set back, time stands still until it has caught up`(
    quota: Quota
  ) throws {
    let store = InMemoryStore(clock: clock)
    clock.set(.microseconds(1_000))
    #expect(store.decide(try command(2, of: quota)) == [1, 0])
    clock.set(.microseconds(990))
    let before = store.decide(try command(1, of: quota))
    clock.set(.microseconds(1_000))
    #expect(store.decide(try command(1, of: quota)) == before)
  }

  @Test(arguments: quotas) func `when the clock is set back for longer, the quota begins empty`(
    quota: Quota
  ) throws {
    let store = InMemoryStore(clock: clock)
    clock.set(.microseconds(1_000))
    #expect(store.decide(try command(1, of: quota)) == [1, 1])
    clock.set(.microseconds(989))
    let reply = store.decide(try command(1, of: quota))
    #expect(reply[0] == 0)
    // A microsecond before it fills, and then.
    let span = try SharedQuota(quota).span
    #expect(reply[1] <= span)
    clock.set(.microseconds(989 + reply[1] - 1))
    #expect(store.decide(try command(1, of: quota)) == [0, 1])
    clock.set(.microseconds(989 + reply[1]))
    #expect(store.decide(try command(1, of: quota))[0] == 1)
  }
}
