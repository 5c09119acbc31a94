import Foundation
import StoreClients
import Testing

@testable import Escapement

extension IntegrationTests {
  /// The scripts and functions, beside the store in memory, which the unit tests compare with the reference model.
  @Suite struct ArithmeticTests {
    /// A clock that the test sets, also back.
    final class SettableClock: Clock, @unchecked Sendable {
      // Unchecked because one task uses it.
      struct Instant: InstantProtocol {
        var offset: Duration
        func advanced(by duration: Duration) -> Self { Self(offset: offset + duration) }
        func duration(to other: Self) -> Duration { other.offset - offset }
        static func < (lhs: Self, rhs: Self) -> Bool { lhs.offset < rhs.offset }
      }

      var now = Instant(offset: .zero)
      let minimumResolution = Duration.nanoseconds(1)
      func sleep(until deadline: Instant, tolerance: Duration?) async throws {}
    }

    private static func quota(using generator: inout some RandomNumberGenerator) -> Quota {
      let capacity = Int.random(in: 1...6, using: &generator)
      let refill = Int.random(in: 1...8, using: &generator)
      let interval = Duration.microseconds(Int.random(in: 1...20, using: &generator))
      switch Int.random(in: 0...3, using: &generator) {
      case 0: return .tokenBucket(capacity: capacity, refill: refill, every: interval)
      case 1:
        return .tokenBucket(capacity: capacity, refill: refill, every: interval, style: .interval)
      case 2: return .slidingWindow(limit: capacity, per: interval)
      default:
        return .all(
          .slidingWindow(limit: capacity, per: interval),
          .tokenBucket(capacity: 3, refill: 2, every: .microseconds(7)),
          .tokenBucket(capacity: 4, refill: 3, every: .microseconds(9), style: .interval),
          .slidingWindow(limit: 9, per: .microseconds(40)))
      }
    }

    /// Moves as clocks do, also when another server with another clock takes over.
    private static func move(_ now: inout Int64, using generator: inout some RandomNumberGenerator)
    {
      switch Int.random(in: 0..<40, using: &generator) {
      case 0: now -= .random(in: 0...30, using: &generator)
      case 1: now -= .random(in: 0...3_600_000_000, using: &generator)
      case 2: now += .random(in: 0...3_600_000_000, using: &generator)
      default: now += .random(in: 0...6, using: &generator)
      }
    }

    @Test(arguments: Servers.kinds)
    func `a quota is decided as in memory, also when the clock jumps`(kind: StoreKind) async throws
    {
      let store = try await ClockedStore(kind)
      let clock = SettableClock()
      let memory = InMemoryStore(clock: clock)
      let name = "\(UUID())"
      for seed in 0..<40 as Range<UInt64> {
        var generator = SplitMix64(seed: seed)
        var now: Int64 = 1_800_000_000_000_000
        let quota = Self.quota(using: &generator)
        let shared = try SharedQuota(quota)
        var history: [String] = []
        for _ in 0..<30 {
          Self.move(&now, using: &generator)
          clock.now.offset = .microseconds(now)
          let permits = Int.random(in: 1...quota.capacity, using: &generator)
          let command = StoreCommand(permits, of: shared, key: "\(name) \(seed)")
          let (reply, expected) = (
            try await store.perform(command, at: now), memory.decide(command)
          )
          history.append("\(permits) at \(now): \(reply)")
          try #require(
            reply == expected,
            "seed \(seed), expected \(expected), \(quota), \(history.suffix(12).joined(separator: "; "))"
          )
        }
      }
    }

    @Test(arguments: Servers.kinds)
    func `windows with many grants are decided as in memory, also when their sums begin again`(
      kind: StoreKind
    ) async throws {
      let store = try await ClockedStore(kind, modulus: 1_024)
      let clock = SettableClock()
      let memory = InMemoryStore(clock: clock)
      let name = "\(UUID())"
      for seed in 0..<4 as Range<UInt64> {
        var generator = SplitMix64(seed: seed)
        var now: Int64 = 1_800_000_000_000_000
        let limit = Int.random(in: 100...200, using: &generator)
        let long = Quota.slidingWindow(limit: limit, per: .microseconds(400))
        let quota =
          seed % 2 == 0 ? long : .all(.slidingWindow(limit: 90, per: .microseconds(120)), long)
        let shared = try SharedQuota(quota)
        for step in 0..<300 {
          switch Int.random(in: 0..<100, using: &generator) {
          case 0: now += .random(in: -500...500, using: &generator)
          case 1...3: now += .random(in: 0...300, using: &generator)
          default: now += .random(in: 0...4, using: &generator)
          }
          clock.now.offset = .microseconds(now)
          let isLarge = Int.random(in: 0..<10, using: &generator) == 0
          let permits = Int.random(in: 1...(isLarge ? quota.capacity : 2), using: &generator)
          let command = StoreCommand(permits, of: shared, key: "\(name) \(seed)")
          let (reply, expected) = (
            try await store.perform(command, at: now), memory.decide(command)
          )
          try #require(
            reply == expected,
            "seed \(seed), step \(step), expected \(expected), \(permits) of \(quota)")
        }
      }
    }

    @Test func `a decision of PostgreSQL reads no whole table, also if it was small before`()
      async throws
    {
      let schema = "planned_\(UInt32.random(in: 0 ... .max))"
      let connection = try PostgreSQLConnection(port: Servers.port(of: .postgresql))
      try connection.execute("CREATE SCHEMA \(schema)")
      try connection.execute("SET search_path TO \(schema)")
      for statement in PostgreSQLSchema.statements { try connection.execute(statement) }
      let quota = Quota.slidingWindow(limit: 1_000, per: .seconds(1_000))
      let shared = try SharedQuota(quota)
      func take(_ key: Int) throws {
        _ = try connection.perform(
          StoreCommand(1, of: shared, key: "\(key)"))
      }
      for key in 0..<20 { try take(key) }
      try connection.execute("VACUUM ANALYZE escapement_quotas")
      // The plan is kept after some calls.
      for _ in 0..<10 { try take(3) }
      func scans() throws -> [[String]] {
        try connection.query(
          "SELECT relname, seq_scan FROM pg_stat_xact_user_tables WHERE schemaname = $1 ORDER BY 1",
          [schema])
      }
      try connection.execute("BEGIN")
      let before = try scans()
      for _ in 0..<40 { try take(3) }
      #expect(try scans() == before)
      #expect(before.count == 3)
      try connection.execute("COMMIT")
    }

    @Test(arguments: Servers.kinds)
    func `a lease is decided as in memory, also when the clock jumps`(kind: StoreKind) async throws
    {
      var generator = SplitMix64(seed: 1)
      let store = try await ClockedStore(kind)
      let clock = SettableClock()
      let memory = InMemoryStore(clock: clock)
      var now: Int64 = 1_800_000_000_000_000
      var history: [String] = []
      for _ in 0..<1_000 {
        Self.move(&now, using: &generator)
        clock.now.offset = .microseconds(now)
        let request = LeaseRequest(
          action: .init(rawValue: .random(in: 0...3, using: &generator))!,
          owner: .random(in: 1...3, using: &generator),
          duration: .random(in: 1...20, using: &generator),
          run: .random(in: 0...Int64(history.count / 100 + 1), using: &generator))
        let command = StoreCommand(request, key: "lease")
        let reply = try LeaseReply(try await store.perform(command, at: now), to: request)
        let expected = try LeaseReply(memory.decide(command), to: request)
        history.append("\(request.arguments) at \(now): \(reply)")
        try #require(
          reply == expected, "expected \(expected), \(history.suffix(12).joined(separator: "; "))")
      }
    }

    @Test(arguments: Servers.kinds)
    func `the largest numbers are exact`(kind: StoreKind) async throws {
      let store = try await ClockedStore(kind)
      let clock = SettableClock()
      let memory = InMemoryStore(clock: clock)
      let quotas: [Quota] = [
        .tokenBucket(capacity: 1 << 33, refill: 1, every: .microseconds(1 << 19)),
        .tokenBucket(
          capacity: 999_999_999_989, refill: 999_999_999_961, every: .microseconds(4_503)),
        .tokenBucket(
          capacity: 1 << 32, refill: 1, every: .microseconds(1 << 19), style: .interval),
        .slidingWindow(limit: 1_000_000_000_000, per: .seconds(3_000_000_000)),
      ]
      for (number, quota) in quotas.enumerated() {
        let shared = try SharedQuota(quota)
        for (step, permits) in [quota.capacity, 1, 2, 1, quota.capacity].enumerated() {
          let now = 1_800_000_000_000_000 + Int64(step) * 524_287
          clock.now.offset = .microseconds(now)
          let command = StoreCommand(permits, of: shared, key: "large\(number)")
          #expect(try await store.perform(command, at: now) == memory.decide(command), "\(quota)")
        }
      }
    }

    @Test func `the state of a quota expires when the quota is full again`() async throws {
      let limiter = try SharedQuotaLimiter(
        .tokenBucket(capacity: 10, refill: 10, every: .seconds(5)), name: "expiry",
        store: try Servers.store(.redis))
      _ = try await limiter.tryAcquire()
      let connection = try RedisConnection(port: Servers.port(of: .redis))
      guard case .array(let keys) = try connection.call(["KEYS", "escapement:quota:expiry:*"]),
        let key = keys.first?.text, case .number(let time) = try connection.call(["PTTL", key])
      else {
        Issue.record("There is no key.")
        return
      }
      // A part of a millisecond is rounded up, and one more is added.
      #expect(4_000...5_002 ~= time)
      // As if the clock had been set back by 4 seconds. Until it has caught up, nothing comes back.
      try connection.call(["HINCRBY", key, "t", "4000000"])
      _ = try await limiter.tryAcquire()
      guard case .number(let time) = try connection.call(["PTTL", key]) else {
        Issue.record("There is no key.")
        return
      }
      #expect(8_000...9_002 ~= time)
    }

    @Test func `the digests are those of the scripts`() throws {
      let connection = try RedisConnection(port: Servers.port(of: .redis))
      #expect(
        try connection.call(["SCRIPT", "LOAD", LuaScripts.quota]).text == LuaScripts.quotaDigest)
      #expect(
        try connection.call(["SCRIPT", "LOAD", LuaScripts.lease]).text == LuaScripts.leaseDigest)
    }

    @Test func `idle quotas are removed from PostgreSQL, and others are not`() async throws {
      let store = try Servers.store(.postgresql)
      let connection = try PostgreSQLConnection(port: Servers.port(of: .postgresql))
      let limiters = try [1, 100_000].map { milliseconds in
        try SharedQuotaLimiter(
          .slidingWindow(limit: 40, per: .milliseconds(milliseconds)), name: "idle", store: store)
      }
      // So many that some are in a row of their own.
      for limiter in limiters { for _ in 0..<40 { _ = try await limiter.tryAcquire() } }
      try await Task.sleep(for: .milliseconds(20))
      try connection.execute(PostgreSQLSchema.removeIdleQuotas)
      for table in ["escapement_quotas", "escapement_grants"] {
        let keys = try connection.query(
          "SELECT key FROM \(table) WHERE key LIKE '%:idle:%'", [])
        #expect(keys.count == 1)
      }
      #expect(try await limiters[1].tryAcquire().isAllowed == false)
    }
  }
}
