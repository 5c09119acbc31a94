import Escapement
import Foundation
import StoreClients
import Testing

extension IntegrationTests {
  /// Servers that are killed, started again, and replaced by their replica.
  @Suite struct ServerFailureTests {
    private static let limit = 20
    private static let run = WallClock.Instant.unixEpoch.advanced(by: .seconds(60))

    private func limiter(_ server: OwnServer) throws -> SharedQuotaLimiter<ContinuousClock> {
      try SharedQuotaLimiter(
        .all(
          .slidingWindow(limit: Self.limit, per: .seconds(86_400)),
          .tokenBucket(capacity: 30, refill: 1, every: .seconds(86_400))),
        name: "failure", store: server.store, timeout: .seconds(30))
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

    @Test(arguments: StoreKind.allCases)
    func `a server that keeps each write, and is killed, gives no permit and no token twice`(
      kind: StoreKind
    ) async throws {
      let server = try await OwnServer(
        kind,
        kind == .redis
          ? ["--appendonly", "yes", "--appendfsync", "always"] : ["-c", "synchronous_commit=on"])
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

    @Test func `a replica that takes over grants again at most what it had not heard of`()
      async throws
    {
      let primary = try await OwnServer(.redis, ["--appendonly", "no"])
      let replica = try await OwnServer(
        .redis, ["--appendonly", "no", "--replicaof", "127.0.0.1", "\(primary.port)"])
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
  }
}
