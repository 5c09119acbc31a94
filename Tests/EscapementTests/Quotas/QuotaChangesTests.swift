import EscapementClocks
import EscapementTesting
import TestSupport
import Testing

@testable import Escapement

@Suite(.virtualTime) struct QuotaChangesTests {
  let clock = TestClock()
  private let log = Log<String>()

  static let quotas: [Quota] = [
    .tokenBucket(capacity: 10, refill: 10, every: .seconds(10)),
    .tokenBucket(capacity: 10, refill: 10, every: .seconds(10), style: .interval),
    .slidingWindow(limit: 10, per: .seconds(10)),
    .all(
      .slidingWindow(limit: 10, per: .seconds(10)),
      .tokenBucket(capacity: 50, refill: 50, every: .seconds(1))),
  ]

  private func limiter(_ quota: Quota) throws -> QuotaLimiter<TestClock<Duration>> {
    try QuotaLimiter(quota, clock: clock)
  }

  private func acquire(
    _ name: String, _ permits: Int, _ limiter: QuotaLimiter<TestClock<Duration>>
  ) async -> Task<Void, any Error> {
    let task = Task { [clock, log] in
      try await limiter.acquire(permits)
      log.append("\(name) at \(clock.now.offset)")
    }
    // The next task comes after this one under any schedule.
    await settle()
    return task
  }

  private func settle() async { await VirtualTime.current?.settle() }
}

// MARK: - Credit and remaining

extension QuotaChangesTests {
  @Test(arguments: quotas) func `permits that are given back can be taken again`(quota: Quota)
    throws
  {
    let limiter = try limiter(quota)
    #expect(limiter.remaining == 10)
    _ = try limiter.tryAcquire(7)
    #expect(limiter.remaining == 3)
    try limiter.credit(5)
    #expect(limiter.remaining == 8)
    try limiter.credit(.max)
    #expect(limiter.remaining == 10)
    #expect(try limiter.tryAcquire(10) == .allowed(remaining: 0))
    #expect(limiter.remaining == 0)
  }

  @Test func `more permits than the smallest of several quotas holds can be given back`()
    async throws
  {
    let limiter = try limiter(
      .all(
        .tokenBucket(capacity: 2, refill: 2, every: .seconds(1)),
        .slidingWindow(limit: 6, per: .seconds(60))))
    for _ in 1...3 {
      _ = try limiter.tryAcquire(2)
      await clock.advance(by: .seconds(1))
    }
    #expect(limiter.remaining == 0)
    try limiter.credit(.max)
    #expect(limiter.remaining == 2)
    for _ in 1...3 {
      #expect(try limiter.tryAcquire(2).isAllowed)
      await clock.advance(by: .seconds(1))
    }
    #expect(limiter.remaining == 0)
  }

  @Test(arguments: quotas) func `tasks that wait get permits that are given back, in order`(
    quota: Quota
  ) async throws {
    let limiter = try limiter(quota)
    _ = try limiter.tryAcquire(10)
    let tasks = [await acquire("a", 3, limiter), await acquire("b", 1, limiter)]
    await settle()
    #expect(limiter.remaining == 0)
    try limiter.credit(2)
    await settle()
    #expect(log.entries == [])
    try limiter.credit(2)
    for task in tasks { try await task.value }
    // Both are granted at once, and may go on in any order.
    #expect(log.entries.sorted() == ["a at 0.0 seconds", "b at 0.0 seconds"])
  }

  @Test func `a sliding window counts its newer permits on after a credit`() async throws {
    let limiter = try limiter(.slidingWindow(limit: 10, per: .seconds(10)))
    _ = try limiter.tryAcquire(5)
    await clock.advance(by: .seconds(6))
    _ = try limiter.tryAcquire(5)
    try limiter.credit(5)
    await clock.advance(by: .seconds(4))
    #expect(limiter.remaining == 5)
    await clock.advance(by: .seconds(6))
    #expect(limiter.remaining == 10)
  }

  @Test(arguments: [0, -1, .min]) func `a credit that is not positive is refused`(permits: Int)
    throws
  {
    let limiter = try limiter(Self.quotas[0])
    #expect(throws: QuotaError.invalidRequest(permits: permits)) { try limiter.credit(permits) }
  }

  @Test(arguments: quotas) func `no sequence of takes and credits exceeds the capacity`(
    quota: Quota
  ) {
    forAllSeeds { generator in
      var algorithm = try quota.makeAlgorithm()
      var now: Int64 = 0
      for _ in 0..<60 {
        now += Int64.random(in: 0...4_000_000_000, using: &generator)
        let permits = Int.random(in: 1...10, using: &generator)
        let before = algorithm.available(at: now)
        try require(0...10 ~= before, "\(before) are available")
        if Bool.random(using: &generator) {
          let left = algorithm.take(permits, at: now)
          try require(
            left == (permits <= before ? before - permits : nil), "\(permits) of \(before)")
        } else {
          algorithm.credit(permits, at: now)
          let after = algorithm.available(at: now)
          try require(after == min(10, before + permits), "\(before) + \(permits) = \(after)")
        }
      }
    }
  }

  @Test func `keys have remaining permits and credits of their own`() async throws {
    for quota in Self.quotas {
      let limiter = try KeyedQuotaLimiter<String, _>(quota, clock: clock)
      _ = try limiter.tryAcquire(6, for: "a")
      try limiter.credit(2, for: "a")
      #expect(limiter.remaining(for: "a") == 6)
      #expect(limiter.remaining(for: "b") == 10)
      await clock.advance(by: .seconds(100))
      limiter.evictIdle()
      #expect(limiter.count == 0)
    }
  }
}

// MARK: - Draining

extension QuotaChangesTests {
  @Test(arguments: quotas) func `after draining, permits come back as after taking all`(
    quota: Quota
  ) async throws {
    let (drained, taken) = (try limiter(quota), try limiter(quota))
    drained.drain()
    _ = try taken.tryAcquire(10)
    for _ in 0..<12 {
      #expect(drained.remaining == taken.remaining)
      await clock.advance(by: .seconds(1))
    }
  }

  @Test(arguments: quotas) func `no permit is granted for the time of a drain`(quota: Quota)
    async throws
  {
    let limiter = try limiter(quota)
    let waiting = await acquire("a", 1, limiter)
    try await waiting.value
    try limiter.drain(for: .seconds(60))
    try limiter.drain(for: .seconds(30))
    #expect(limiter.tryAcquire() == .denied(retryAfter: .seconds(60)))
    let tasks = [await acquire("b", 10, limiter), await acquire("c", 1, limiter)]
    await settle()
    #expect(limiter.tryAcquire().isAllowed == false)
    await clock.advance(by: .seconds(60) - .nanoseconds(1))
    #expect(log.count == 1)
    await clock.advance(by: .nanoseconds(1))
    try await tasks[0].value
    #expect(log.entries.last == "b at 60.0 seconds")
    await clock.advance(by: .seconds(10))
    try await tasks[1].value
  }

  @Test func `a task that waits is woken later after a drain`() async throws {
    let limiter = try limiter(.tokenBucket(capacity: 1, refill: 1, every: .seconds(1)))
    _ = limiter.tryAcquire()
    let task = await acquire("a", 1, limiter)
    try await clock.waitForSleepers(count: 1)
    try limiter.drain(for: .seconds(5))
    await settle()
    await clock.advance(by: .seconds(5))
    try await task.value
    #expect(log.entries == ["a at 5.0 seconds"])
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `a reservation behind a drain is told its time`() async throws {
    let limiter = try limiter(.tokenBucket(capacity: 10, refill: 1, every: .seconds(1)))
    try limiter.drain(for: .seconds(5))
    let first = try limiter.reserve(2)
    let second = try limiter.reserve(4)
    #expect([first, second].map(\.readyAt.offset) == [.seconds(5), .seconds(6)])
    first.cancel()
    #expect(try limiter.reserve().readyAt.offset == .seconds(5))
  }

  @Test func `the time of a drain is not negative, and may be endless`() throws {
    let limiter = try limiter(Self.quotas[0])
    #expect(throws: InvalidArgumentError.self) { try limiter.drain(for: .nanoseconds(-1)) }
    try limiter.drain(for: .longest)
    #expect(limiter.remaining == 0)
    #expect(!limiter.tryAcquire().isAllowed)
  }
}

// MARK: - Replacing

extension QuotaChangesTests {
  @Test func `permits that were taken stay taken when the quota is replaced`() throws {
    for (old, index) in zip(Self.quotas, 0...) {
      let limiter = try limiter(old)
      _ = try limiter.tryAcquire(6)
      try limiter.replaceQuota(with: .tokenBucket(capacity: 20, refill: 1, every: .seconds(1)))
      #expect(limiter.remaining == 14, "quota \(index)")
      try limiter.replaceQuota(with: Self.quotas[index])
      #expect(limiter.remaining == 4, "quota \(index)")
      try limiter.replaceQuota(with: .slidingWindow(limit: 3, per: .seconds(1)))
      #expect(limiter.remaining == 0, "quota \(index)")
      #expect(limiter.quota == .slidingWindow(limit: 3, per: .seconds(1)))
    }
  }

  @Test func `each of several quotas keeps what was taken of it`() async throws {
    let hour = Quota.slidingWindow(limit: 100, per: .seconds(3600))
    func second(_ capacity: Int) -> Quota {
      .tokenBucket(capacity: capacity, refill: capacity, every: .seconds(1))
    }
    let limiter = try limiter(.all(second(10), hour))
    for _ in 1...9 {
      _ = try limiter.tryAcquire(10)
      await clock.advance(by: .seconds(1))
    }
    #expect(limiter.remaining == 10)
    try limiter.replaceQuota(with: .all(second(20), hour))
    #expect(limiter.remaining == 10)
    // Of one quota, as many are taken as of the one with the most.
    try limiter.replaceQuota(with: hour)
    #expect(limiter.remaining == 10)
    try limiter.replaceQuota(with: .all(hour, second(20)))
    #expect(limiter.remaining == 0)
    await clock.advance(by: .seconds(1))
    #expect(limiter.remaining == 10)
  }

  @Test func `tasks that wait go on with the new quota, and those for too much are refused`()
    async throws
  {
    let limiter = try limiter(.tokenBucket(capacity: 10, refill: 1, every: .seconds(3600)))
    _ = try limiter.tryAcquire(10)
    let tasks = [
      await acquire("a", 2, limiter), await acquire("b", 9, limiter),
      await acquire("c", 3, limiter),
    ]
    await settle()
    try limiter.replaceQuota(with: .tokenBucket(capacity: 5, refill: 1, every: .seconds(1)))
    let error = await #expect(throws: QuotaError.self) { try await tasks[1].value }
    #expect(error == .beyondCapacity(permits: 9, capacity: 5))
    await settle()
    await clock.advance(by: .seconds(2))
    try await tasks[0].value
    await clock.advance(by: .seconds(3))
    try await tasks[2].value
    #expect(log.entries == ["a at 2.0 seconds", "c at 5.0 seconds"])
    #expect(clock.sleepers.isEmpty)
  }

  @Test func `a task gets its permits at once from a larger quota`() async throws {
    let limiter = try limiter(.tokenBucket(capacity: 1, refill: 1, every: .seconds(3600)))
    _ = limiter.tryAcquire()
    let task = await acquire("a", 1, limiter)
    await settle()
    try limiter.replaceQuota(with: .tokenBucket(capacity: 2, refill: 1, every: .seconds(3600)))
    try await task.value
    #expect(log.entries == ["a at 0.0 seconds"])
  }

  @Test func `a quota that is not valid does not replace another one`() throws {
    let limiter = try limiter(Self.quotas[0])
    #expect(throws: InvalidArgumentError.self) {
      try limiter.replaceQuota(with: .slidingWindow(limit: 0, per: .seconds(1)))
    }
    #expect(limiter.quota == Self.quotas[0])
  }
}

// MARK: - All of it, at random

extension QuotaChangesTests {
  @Test func `after any events, a request gets its permits exactly when it was told`() {
    let quotas: [Quota] = [
      .tokenBucket(capacity: 4, refill: 3, every: .nanoseconds(7)),
      .tokenBucket(capacity: 4, refill: 2, every: .nanoseconds(9), style: .interval),
      .slidingWindow(limit: 4, per: .nanoseconds(11)),
      .all(
        .tokenBucket(capacity: 5, refill: 3, every: .nanoseconds(7)),
        .slidingWindow(limit: 4, per: .nanoseconds(11))),
    ]
    forAllSeeds { generator in
      let quota = quotas.randomElement(using: &generator)!
      var machine = QuotaStateMachine<Int>(
        algorithm: try quota.makeAlgorithm(), capacity: quota.capacity)
      var now: Int64 = 0
      var ids: [Int] = []
      var granted: [Int] = []
      let areAlike = Bool.random(using: &generator)
      for event in 0..<30 {
        now += Int64.random(in: 0...5, using: &generator)
        let permits = areAlike ? 1 : Int.random(in: 1...machine.capacity, using: &generator)
        switch Int.random(in: 0...7, using: &generator) {
        case 0: machine.credit(permits, now: now)
        case 1: machine.drain(until: now + Int64.random(in: 0...9, using: &generator), now: now)
        case 2:
          let quota = quotas.randomElement(using: &generator)!
          _ = machine.replace(try quota.makeAlgorithm(), capacity: quota.capacity, now: now)
        case 3:
          if let id = ids.randomElement(using: &generator) { _ = machine.cancel(id, now: now) }
        case 4: _ = machine.tryAcquire(permits, now: now)
        default:
          let waiter = Bool.random(using: &generator) ? event : nil
          if case .queued(let id, _) = machine.admit(permits, now: now, waiter: waiter) {
            ids.append(id)
          }
        }
        granted += machine.takeGranted()
        try require(granted == granted.sorted(), "\(granted) is not in order")
      }
      let permits = Int.random(in: 1...machine.capacity, using: &generator)
      let admission = machine.admit(permits, now: now, before: .max - 1, waiter: 1_000)
      guard case .queued(_, let readyAt?) = admission else { return }
      _ = machine.remaining(now: readyAt - 1)
      try require(!machine.takeGranted().contains(1_000), "granted before \(readyAt)")
      _ = machine.remaining(now: readyAt)
      try require(machine.takeGranted().contains(1_000), "not granted at \(readyAt)")
    }
  }
}

// MARK: - Several quotas at once

extension QuotaChangesTests {
  @Test func `a permit that one quota refuses is not taken from the others`() async throws {
    let limiter = try limiter(
      .all(
        .tokenBucket(capacity: 2, refill: 2, every: .seconds(1)),
        .slidingWindow(limit: 5, per: .seconds(60))))
    func take(_ count: Int) -> Int {
      (0..<count).filter { _ in limiter.tryAcquire().isAllowed }.count
    }
    #expect(take(100) == 2)
    await clock.advance(by: .seconds(1))
    #expect(take(100) == 2)
    await clock.advance(by: .seconds(1))
    #expect(take(100) == 1)
    #expect(limiter.tryAcquire() == .denied(retryAfter: .seconds(58)))
    #expect(throws: QuotaError.beyondCapacity(permits: 3, capacity: 2)) {
      try limiter.tryAcquire(3)
    }
  }

  @Test func `several quotas grant what each of them grants`() {
    forAllSeeds { generator in
      let single: [Quota] = [
        .tokenBucket(capacity: 4, refill: 3, every: .nanoseconds(7)),
        .tokenBucket(capacity: 6, refill: 2, every: .nanoseconds(9), style: .interval),
        .slidingWindow(limit: 5, per: .nanoseconds(11)),
      ]
      var all = try Quota.all(single[0], single[1], single[2]).makeAlgorithm()
      var each = try single.map { try $0.makeAlgorithm() }
      var now: Int64 = 0
      for _ in 0..<60 {
        now += Int64.random(in: 0...6, using: &generator)
        let permits = Int.random(in: 1...4, using: &generator)
        let ready = each.map { $0.earliest(permits, from: now) }.max()!
        try require(all.earliest(permits, from: now) == ready, "\(ready) at \(now)")
        let left = all.take(permits, at: now)
        try require((left != nil) == (ready <= now), "\(permits) at \(now)")
        guard left != nil else { continue }
        let lefts = each.indices.map { each[$0].take(permits, at: now)! }
        try require(left == lefts.min(), "\(lefts)")
      }
    }
  }

  @Test func `an argument of one of several quotas is checked`() {
    let error = #expect(throws: InvalidArgumentError.self) {
      try limiter(.all(Self.quotas[0], .slidingWindow(limit: 0, per: .seconds(1))))
    }
    #expect(error?.argument == "limit")
  }
}
