import Escapement
import Foundation
import StoreClients
import Testing

extension IntegrationTests {
  /// Servers that are killed, started again, and replaced by their replica.
  @Suite struct ServerFailureTests {
    private static let limit = 20
    private static let quota = Quota.all(
      .slidingWindow(limit: limit, per: .seconds(86_400)),
      .tokenBucket(capacity: 30, refill: 1, every: .seconds(86_400)))
    private static let run = WallClock.Instant.unixEpoch.advanced(by: .seconds(60))

    private func limiter(_ server: OwnServer) throws -> SharedQuotaLimiter<ContinuousClock> {
      try SharedQuotaLimiter(
        Self.quota, name: "failure", store: server.store, timeout: .seconds(30))
    }

    private func lease(_ server: OwnServer) throws -> Lease<ContinuousClock> {
      try Lease(
        "failure", store: server.store, duration: .seconds(3), retryInterval: .milliseconds(50))
    }

    /// Takes permits one by one, up to a number of them, and returns how many there were.
    private func take(_ server: OwnServer, atMost count: Int = .max) async throws -> Int {
      let limiter = try limiter(server)
      var taken = 0
      while taken < count, try await limiter.tryAcquire().isAllowed { taken += 1 }
      return taken
    }

    @Test(arguments: Servers.kinds)
    func `a server that keeps each write, and is killed, gives no permit and no token twice`(
      kind: StoreKind
    ) async throws {
      let settings =
        switch kind {
        case .redis: ["--appendonly", "yes", "--appendfsync", "always"]
        case .postgresql: ["-c", "synchronous_commit=on"]
        case .etcd: [] as [String]
        }
      let server = try await OwnServer(kind, settings)
      #expect(try await take(server, atMost: 7) == 7)
      let token = try await lease(server).run { $0 }
      #expect(try await lease(server).runOnce(for: Self.run, .atMostOnce) { _ in })

      server.kill()
      #expect(try await take(server) == 0)
      try await server.start()

      #expect(try await take(server) == Self.limit - 7)
      #expect(try await lease(server).run { $0 } > token)
      #expect(try await lease(server).runOnce(for: Self.run, .atMostOnce) { _ in } == false)
    }

    @Test func `clients that were connected go on when the server is back`() async throws {
      let server = try await OwnServer(.redis, ["--appendonly", "yes", "--appendfsync", "always"])
      let limiter = try limiter(server)
      #expect(try await limiter.tryAcquire().isAllowed)
      server.kill()
      #expect(try await limiter.tryAcquire().isAllowed == false)
      try await server.start()
      try await limiter.acquire()
    }

    @Test func `a Redis without memory grants nothing, and the policy decides`() async throws {
      let server = try await OwnServer(
        .redis, ["--appendonly", "no", "--maxmemory-policy", "noeviction"])
      #expect(try await take(server, atMost: 7) == 7)
      let control = try RedisConnection(port: server.port)
      try control.call(["CONFIG", "SET", "maxmemory", "1"])
      let (failures, continuation) = AsyncStream.makeStream(of: String.self)
      let limiter = try SharedQuotaLimiter(
        Self.quota, name: "failure", store: server.store, timeout: .seconds(30),
        onEvent: { if case .storeFailed(let error) = $1 { continuation.yield("\(error)") } })
      #expect(try await limiter.tryAcquire().isAllowed == false)
      #expect(await failures.first { _ in true }?.contains("OOM") == true)
      try control.call(["CONFIG", "SET", "maxmemory", "0"])
      #expect(try await take(server) == Self.limit - 7)
    }

    @Test func `a Redis that loses everything grants the quota again, and a larger token`()
      async throws
    {
      let server = try await OwnServer(.redis, ["--appendonly", "no"])
      #expect(try await take(server) == Self.limit)
      let (tokens, continuation) = AsyncStream.makeStream(of: FencingToken.self)
      let lease = try lease(server)
      let first = Task {
        try await lease.run { token in
          continuation.yield(token)
          try await Task.sleep(for: .seconds(600))
        }
      }
      let token = await tokens.first { _ in true }!

      server.kill()
      try await server.start()

      #expect(try await take(server) == Self.limit)
      // The first one may still believe to lead, and its token is the smaller one.
      #expect(try await self.lease(server).run { $0 } > token)
      let error = await #expect(throws: LeaseLostError.self) { try await first.value }
      #expect(error?.token == token)
    }

    @Test func `a Redis replica that takes over grants again what it had not heard of`()
      async throws
    {
      let primary = try await OwnServer(.redis, ["--appendonly", "no"])
      let replica = try await OwnServer(.redis, ["--appendonly", "no"], replicaOf: primary)
      #expect(try await take(primary, atMost: 7) == 7)
      let connection = try RedisConnection(port: primary.port)
      while true {
        // In milliseconds; less than the client waits.
        if case .number(1...) = try connection.call(["WAIT", "1", "3000"]) { break }
      }
      let control = try RedisConnection(port: replica.port)
      // It hears no more, but is not promoted yet.
      try control.call(["REPLICAOF", "127.0.0.1", "1"])
      let lost = 3
      #expect(try await take(primary, atMost: lost) == lost)
      let token = try await lease(primary).run { $0 }
      #expect(try await take(replica) == 0)

      primary.kill()
      try control.call(["REPLICAOF", "NO", "ONE"])

      #expect(try await take(replica) == Self.limit - 7)
      #expect(try await lease(replica).run { $0 } > token)
    }

    /// Asks a PostgreSQL until the answer is yes.
    private func wait(
      for condition: String, _ parameters: [String] = [], on server: PostgreSQLConnection
    ) async throws {
      while try server.query("SELECT \(condition)", parameters) != [["t"]] {
        try await Task.sleep(for: .milliseconds(20))
      }
    }

    /// Waits until a replica has applied what its primary has written.
    private func catchUp(_ replica: PostgreSQLConnection, with primary: OwnServer) async throws {
      let position = try PostgreSQLConnection(port: primary.port)
        .query("SELECT pg_current_wal_lsn()", [])[0][0]
      try await wait(for: "pg_last_wal_replay_lsn() >= $1::pg_lsn", [position], on: replica)
    }

    @Test func `a PostgreSQL replica that takes over grants again what it had not heard of`()
      async throws
    {
      let primary = try await OwnServer(.postgresql, [])
      let replica = try await OwnServer(.postgresql, [], replicaOf: primary)
      #expect(try await take(primary, atMost: 7) == 7)
      let control = try PostgreSQLConnection(port: replica.port)
      try await catchUp(control, with: primary)
      // It hears no more, but is not promoted yet.
      try control.execute("ALTER SYSTEM SET primary_conninfo = ''")
      try control.query("SELECT pg_reload_conf()", [])
      try await wait(for: "count(*) = 0 FROM pg_stat_wal_receiver", on: control)
      let lost = 3
      #expect(try await take(primary, atMost: lost) == lost)
      let token = try await lease(primary).run { $0 }
      let (failures, continuation) = AsyncStream.makeStream(of: String.self)
      let early = try SharedQuotaLimiter(
        Self.quota, name: "failure", store: replica.store, timeout: .seconds(30),
        onEvent: { if case .storeFailed(let error) = $1 { continuation.yield("\(error)") } })
      #expect(try await early.tryAcquire().isAllowed == false)
      #expect(await failures.first { _ in true }?.contains("read-only transaction") == true)

      primary.kill()
      try control.query("SELECT pg_promote()", [])

      #expect(try await take(replica) == Self.limit - 7)
      #expect(try await lease(replica).run { $0 } > token)
    }

    /// From now on, the primary waits for its replica in each transaction.
    private func replicateSynchronously(_ primary: PostgreSQLConnection) async throws {
      try primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
      try primary.query("SELECT pg_reload_conf()", [])
      try await wait(
        for: "count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'", on: primary)
    }

    @Test func `a synchronous replica that takes over gives no permit and no token twice`()
      async throws
    {
      let primary = try await OwnServer(.postgresql, ["-c", "synchronous_commit=on"])
      let replica = try await OwnServer(.postgresql, [], replicaOf: primary)
      let control = try PostgreSQLConnection(port: primary.port)
      try await replicateSynchronously(control)
      #expect(try await take(primary, atMost: 7) == 7)
      let token = try await lease(primary).run { $0 }
      #expect(try await lease(primary).runOnce(for: Self.run, .atMostOnce) { _ in })

      primary.kill()
      try PostgreSQLConnection(port: replica.port).query("SELECT pg_promote()", [])

      #expect(try await take(replica) == Self.limit - 7)
      #expect(try await lease(replica).run { $0 } > token)
      #expect(try await lease(replica).runOnce(for: Self.run, .atMostOnce) { _ in } == false)
    }

    @Test
    func `without its synchronous replica PostgreSQL does not answer, and the policy decides`()
      async throws
    {
      let primary = try await OwnServer(.postgresql, ["-c", "synchronous_commit=on"])
      let replica = try await OwnServer(.postgresql, [], replicaOf: primary)
      let control = try PostgreSQLConnection(port: primary.port)
      try await replicateSynchronously(control)
      #expect(try await take(primary, atMost: 7) == 7)

      replica.kill()
      let limiter = try SharedQuotaLimiter(
        Self.quota, name: "failure", store: primary.store, timeout: .milliseconds(500))
      #expect(try await limiter.tryAcquire().isAllowed == false)

      try await replica.start()
      // The permit of the late answer counts as taken, or is the next one.
      let taken = try await take(primary)
      #expect(Self.limit - 8...Self.limit - 7 ~= taken)
    }

    /// Waits until one of the members of an etcd cluster leads the others.
    private func waitForLeader(of members: some Sequence<OwnServer>) async throws {
      while !members.contains(where: { (try? EtcdConnection(port: $0.port).isLeader()) == true }) {
        try await Task.sleep(for: .milliseconds(20))
      }
    }

    @Test(.enabled(if: Servers.hasEtcd, "SKIPPED: etcd is not on this machine."))
    func `an etcd member that takes over gives no permit and no token twice`() async throws {
      let members = try await OwnServer.etcdCluster(of: 3)
      #expect(try await take(members[0], atMost: 4) == 4)
      // Every member answers, and asks the leader.
      #expect(try await take(members[1], atMost: 3) == 3)
      let token = try await lease(members[2]).run { $0 }
      #expect(try await lease(members[0]).runOnce(for: Self.run, .atMostOnce) { _ in })

      members[0].kill()
      try await waitForLeader(of: members.dropFirst())

      #expect(try await take(members[1]) == Self.limit - 7)
      #expect(try await take(members[2]) == 0)
      #expect(try await lease(members[1]).run { $0 } > token)
      #expect(try await lease(members[2]).runOnce(for: Self.run, .atMostOnce) { _ in } == false)
    }

    @Test(.enabled(if: Servers.hasEtcd, "SKIPPED: etcd is not on this machine."))
    func `a minority of etcd members does not answer, and the policy decides`() async throws {
      let members = try await OwnServer.etcdCluster(of: 3)
      #expect(try await take(members[0], atMost: 7) == 7)

      for member in members.dropFirst() { member.kill() }
      let limiter = try SharedQuotaLimiter(
        Self.quota, name: "failure", store: members[0].store, timeout: .milliseconds(500))
      #expect(try await limiter.tryAcquire().isAllowed == false)

      for member in members.dropFirst() { try await member.start() }
      try await waitForLeader(of: members)
      // The permit of the late answer counts as taken, or is the next one.
      let taken = try await take(members[0])
      #expect(Self.limit - 8...Self.limit - 7 ~= taken)
    }
  }
}
