import Escapement
import EscapementTesting
import TestSupport
import Testing
import _EscapementCore

/// A store that replaces values and computes nothing, written with what is public only.
@Suite(.virtualStandardClocks) struct ReplacingStoreTests {
  /// Values with revisions, which others may replace between a reading and a replacement.
  private final class ReplacingStore: SharedStore {
    private let values = Lock<[String: (revision: Int, state: String)]>([:])
    private let clock: VirtualTime
    private let origin: VirtualTime.Instant
    /// The text that each key has in the beginning, in place of a state.
    private let foreignState: String?
    let conflicts = Lock(0)

    init(clock: VirtualTime, foreignState: String? = nil) {
      self.clock = clock
      self.foreignState = foreignState
      origin = clock.now
    }

    func perform(_ command: StoreCommand) async throws -> [Int64] {
      while true {
        let stored = values.withLock { $0[command.key] }
        await Task.yield()
        let now = Duration.seconds(1_000) + origin.duration(to: clock.now)
        let decision = try command.decision(for: stored?.state ?? foreignState, at: now)
        guard let newState = decision.newState else { return decision.reply }
        await Task.yield()
        let isReplaced = values.withLock { values in
          guard values[command.key]?.revision == stored?.revision else { return false }
          values[command.key] = ((stored?.revision ?? 0) + 1, newState)
          return true
        }
        if isReplaced { return decision.reply }
        conflicts.withLock { $0 += 1 }
      }
    }
  }

  private static let quotas: [Quota] = [
    .tokenBucket(capacity: 5, refill: 1, every: .seconds(1_000)),
    .slidingWindow(limit: 5, per: .seconds(1_000)),
  ]

  @Test(.virtualTime(order: .exploring(50)), arguments: quotas)
  func `a command that others overtake decides again, and no permit is lost or granted twice`(
    quota: Quota
  ) async throws {
    let time = try VirtualTime.required
    let store = ReplacingStore(clock: time)
    let granted = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        // Each is a process of its own, which does not collect the requests of others.
        let limiter = try SharedQuotaLimiter(quota, name: "test", store: store, clock: time)
        group.addTask { try await limiter.tryAcquire().isAllowed }
      }
      return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(granted == 5)
  }

  @Test(
    .virtualTime, .plainOrder(because: "Other schedules let one end before the other reads."))
  func `commands that read the same state conflict`() async throws {
    let time = try VirtualTime.required
    let store = ReplacingStore(clock: time)
    let limiters = try (0..<2).map { _ in
      try SharedQuotaLimiter(Self.quotas[0], name: "test", store: store, clock: time)
    }
    async let first = limiters[0].tryAcquire()
    async let second = limiters[1].tryAcquire()
    let decisions = try await Set([first, second])
    #expect(decisions == [.allowed(remaining: 4), .allowed(remaining: 3)])
    #expect(store.conflicts.withLock { $0 } == 1)
  }

  @Test(.virtualTime(order: .exploring(50)))
  func `one replica at a time has a lease, each time with a larger token`() async throws {
    let time = try VirtualTime.required
    let store = ReplacingStore(clock: time)
    let tokens = Log<FencingToken>()
    let holders = Lock(0)
    let lead: @Sendable () async throws -> Void = {
      try await Lease("test", store: store, clock: time).run { token in
        tokens.append(token)
        let count = holders.withLock { holders in
          holders += 1
          return holders
        }
        #expect(count == 1)
        try await time.sleep(for: .seconds(5))
        holders.withLock { $0 -= 1 }
      }
    }
    try await withThrowingTaskGroup { group in
      for _ in 0..<3 { group.addTask { try await lead() } }
      try await group.waitForAll()
    }
    #expect(tokens.entries.count == 3)
    #expect(tokens.entries == Set(tokens.entries).sorted())
  }

  @Test(.virtualTime) func `the text of another program is an error, and the policy decides`()
    async throws
  {
    let time = try VirtualTime.required
    let store = ReplacingStore(clock: time, foreignState: "{\"name\": \"ann\"}")
    let failures = Log<SharedStoreError?>()
    let limiter = try SharedQuotaLimiter(
      Self.quotas[0], name: "test", store: store, whenUnavailable: .deny(retryAfter: .seconds(7)),
      clock: time,
      onEvent: {
        if case .storeFailed(let error) = $1 { failures.append(error as? SharedStoreError) }
      })
    #expect(try await limiter.tryAcquire() == .denied(retryAfter: .seconds(7)))
    #expect(failures.entries == [.unexpectedState("{\"name\": \"ann\"}")])
  }
}
