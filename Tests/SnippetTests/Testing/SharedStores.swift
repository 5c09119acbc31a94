// Quotas and leases that many servers share, and testing them without a server.

import Escapement
import EscapementTesting
import Testing

struct SearchService: Sendable {
  private let limiter: SharedQuotaLimiter<ContinuousClock>

  init(store: some SharedStore) throws {
    limiter = try SharedQuotaLimiter(
      .tokenBucket(capacity: 3, refill: 1, every: .seconds(10)), name: "search", store: store,
      whenUnavailable: .localShare(processes: 2), timeout: .milliseconds(200))
  }

  func status(for user: String) async throws -> Int {
    try await limiter.tryAcquire(for: user).isAllowed ? 200 : 429
  }
}

struct Reports: Sendable {
  let lease: Lease<ContinuousClock>
  let write: @Sendable (WallClock.Instant, FencingToken) async throws -> Void

  func start(on launcher: some PeriodicTaskLauncher) throws {
    launcher.on(try .daily(at: "03:00", in: .utc)) { instant in
      do {
        try await lease.runOnce(for: instant, .atLeastOnce) { try await write(instant, $0) }
      } catch {
        print("The report of \(instant) failed here: \(error)")
      }
    }
    launcher.start()
  }
}

@Suite(.virtualTime) struct SharedStoresTests {
  @Test func `two servers share the permits of a user`() async throws {
    let store = InMemoryStore()
    let servers = [try SearchService(store: store), try SearchService(store: store)]
    for server in servers { #expect(try await server.status(for: "ann") == 200) }
    #expect(try await servers[0].status(for: "ann") == 200)
    #expect(try await servers[1].status(for: "ann") == 429)
    try await Task.sleep(for: .seconds(10))
    #expect(try await servers[1].status(for: "ann") == 200)
  }

  @Test func `each report is written by one of the replicas`() async throws {
    let store = InMemoryStore()
    let (reports, continuation) = AsyncStream.makeStream(of: String.self)
    let launchers = [DefaultPeriodicTaskLauncher(), DefaultPeriodicTaskLauncher()]
    for launcher in launchers {
      try Reports(lease: Lease("reports", store: store)) { instant, _ in
        continuation.yield("\(instant)")
      }.start(on: launcher)
    }
    try await Task.sleep(for: .seconds(3 * 86_400))
    for launcher in launchers { launcher.stop() }
    continuation.finish()
    var written: [String] = []
    for await report in reports { written.append(report) }
    #expect(
      written == ["2000-01-01T03:00:00Z", "2000-01-02T03:00:00Z", "2000-01-03T03:00:00Z"])
  }
}
