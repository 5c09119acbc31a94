import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

@testable import Escapement

/// Leases and shared quotas of three replicas, in many orders of their tasks.
@Suite(.virtualStandardClocks) struct SharedStoreExplorationTests {
  /// A store to which requests and answers may overtake one another.
  private struct DistantStore: SharedStore {
    let store: InMemoryStore<VirtualTime>

    func perform(_ command: StoreCommand) async throws -> [Int64] {
      await Task.yield()
      let reply = await store.perform(command)
      await Task.yield()
      return reply
    }
  }

  @Test(
    .virtualTime(order: .exploring(100)),
    arguments: [Lease<VirtualTime>.Delivery.atMostOnce, .atLeastOnce])
  func `each run takes place once, and with a larger token than the one before`(
    delivery: Lease<VirtualTime>.Delivery
  ) async throws {
    let time = try VirtualTime.required
    let store = DistantStore(store: InMemoryStore(clock: time))
    let runs = Array(try Schedule.every(.seconds(60)).runs(after: .unixEpoch).prefix(3))
    let log = Log<(run: WallClock.Instant, token: FencingToken)>()
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 {
        group.addTask {
          let lease = try Lease("test", store: store, clock: time)
          for run in runs {
            try await lease.runOnce(for: run, delivery) { token in
              log.append((run, token))
              try await time.sleep(for: .seconds(20))
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(log.entries.map(\.run) == runs)
    #expect(log.entries.map(\.token) == Set(log.entries.map(\.token)).sorted())
  }

  @Test(.virtualTime(order: .exploring(100)))
  func `a lease of a cancelled caller is free at the latest after its duration`() async throws {
    let time = try VirtualTime.required
    let store = DistantStore(store: InMemoryStore(clock: time))
    let held = Lock(0)
    let lead: @Sendable () async throws -> Void = {
      try await Lease("test", store: store, clock: time).run { _ in
        let holders = held.withLock { held in
          held += 1
          return held
        }
        #expect(holders == 1)
        try? await time.sleep(for: .seconds(5))
        held.withLock { $0 -= 1 }
      }
    }
    let cancelled = Task { try await lead() }
    let other = Task { try await lead() }
    cancelled.cancel()
    _ = await cancelled.result
    try await other.value
    let start = time.now
    try await lead()
    #expect(start.duration(to: time.now) <= .seconds(20))
  }

  @Test(.virtualTime(order: .exploring(100)))
  func `permits of cancelled callers are not granted twice, nor lost`() async throws {
    let time = try VirtualTime.required
    let store = DistantStore(store: InMemoryStore(clock: time))
    let limiters = try (0..<2).map { _ in
      try SharedQuotaLimiter(
        .slidingWindow(limit: 2, per: .seconds(10)), name: "test", store: store, clock: time)
    }
    let start = time.now
    let log = Log<Duration>()
    let tasks = (0..<6).map { number in
      Task {
        try await limiters[number % 2].acquire()
        log.append(start.duration(to: time.now))
      }
    }
    tasks[0].cancel()
    for task in tasks { _ = await task.result }
    #expect(log.entries.count >= 5)
    for instant in log.entries {
      #expect(log.entries.count { instant <= $0 && $0 < instant + .seconds(10) } <= 2)
    }
    #expect(log.entries.allSatisfy { $0 <= .seconds(20) })
  }

  /// A store that answers late, fails or grants, by the number of the call.
  private final class UnreliableStore: SharedStore {
    let granted = Log<Int>()
    private let store: InMemoryStore<VirtualTime>
    private let clock: VirtualTime
    private let random: Lock<SplitMix64>

    init(clock: VirtualTime, seed: UInt64) {
      self.clock = clock
      store = InMemoryStore(clock: clock)
      random = Lock(SplitMix64(seed: seed))
    }

    func perform(_ command: StoreCommand) async throws -> [Int64] {
      let (before, after, fails) = random.withLock { random in
        (
          Int.random(in: 0...3, using: &random), Int.random(in: 0...4, using: &random),
          Int.random(in: 0..<8, using: &random) == 0
        )
      }
      try await clock.sleep(for: .milliseconds(300 * before))
      if fails { throw SharedStoreError.unexpectedReply([]) }
      let reply = await store.perform(command)
      if reply[0] == 1 { granted.append(Int(command.arguments[0])) }
      try await clock.sleep(for: .milliseconds(300 * after))
      return reply
    }
  }

  @Test(.virtualTime(order: .exploring(40)), arguments: 0..<8 as Range<UInt64>)
  func `no caller waits longer than the timeout, or gets what the store has not granted`(
    seed: UInt64
  ) async throws {
    let time = try VirtualTime.required
    let store = UnreliableStore(clock: time, seed: seed)
    let limiter = try SharedQuotaLimiter(
      .slidingWindow(limit: 12, per: .seconds(1_000)), name: "test", store: store,
      timeout: .seconds(1), clock: time)
    var random = SplitMix64(seed: seed)
    let used = Log<Int>()
    let tasks = (0..<9).map { number in
      let (permits, delay) = (
        Int.random(in: 1...3, using: &random), Int.random(in: 0...4, using: &random)
      )
      let task = Task {
        try await time.sleep(for: .milliseconds(300 * delay))
        let start = time.now
        if try await limiter.tryAcquire(permits).isAllowed { used.append(permits) }
        #expect(start.duration(to: time.now) <= .seconds(1))
      }
      if number.isMultiple(of: 3) {
        Task {
          try await time.sleep(for: .milliseconds(500))
          task.cancel()
        }
      }
      return task
    }
    for task in tasks { _ = await task.result }
    // By then, each call has ended.
    try await time.sleep(for: .seconds(11))
    let granted = store.granted.entries.reduce(0, +)
    #expect(used.entries.reduce(0, +) <= granted)
    #expect(granted <= 12)
  }
}
