import Escapement
import Foundation
import StoreClients
import Testing

extension IntegrationTests {
  @Suite struct SharedQuotaTests {
    private let name = "quota \(UUID())"
    private static let processes = 8

    /// Takes permits in eight processes, for a time or until the first refusal, and returns all lines
    /// that they have written.
    private func take(
      _ kind: StoreKind, for time: Int = 0, capacity: Int, refill: Int, every milliseconds: Int,
      timeout: Int = 30_000, while disturb: ([Worker]) async throws -> Void = { _ in }
    ) async throws -> (lines: [[String]], time: Duration) {
      _ = try Servers.store(kind)
      let start = ContinuousClock.now
      let workers = try (0..<Self.processes).map { _ in
        try Worker(
          kind, ["quota", name] + [timeout, time, capacity, refill, milliseconds].map(String.init))
      }
      // They may take their time to start.
      for worker in workers { #expect(await worker.next() == "ready") }
      for worker in workers { try worker.begin() }
      try await disturb(workers)
      var lines: [[String]] = []
      for worker in workers { lines.append(await worker.rest()) }
      return (lines, ContinuousClock.now - start)
    }

    private func count(_ lines: [[String]]) -> Int { lines.joined().count { $0 == "granted" } }

    @Test(arguments: Servers.kinds)
    func `eight processes get all permits, and not one more`(kind: StoreKind) async throws {
      // Nothing comes back during the test.
      let result = try await take(kind, capacity: 300, refill: 1, every: 3_600_000)
      #expect(count(result.lines) == 300)
      #expect(result.lines.count { $0.contains("granted") } > 1)
      #expect(!result.lines.joined().contains("failure"))
    }

    @Test(arguments: Servers.kinds)
    func `permits that come back are granted once`(kind: StoreKind) async throws {
      let result = try await take(kind, for: 1_000, capacity: 10, refill: 1, every: 10)
      // The processes run for a second each, within the time of the test.
      #expect(count(result.lines) <= 10 + Int(result.time / .milliseconds(10)))
      #expect(count(result.lines) > 10)
    }

    @Test(arguments: Servers.kinds)
    func `processes that are killed have not got more than the quota`(kind: StoreKind) async throws
    {
      let result = try await take(
        kind, for: 1_000, capacity: 3_000, refill: 1, every: 3_600_000
      ) { workers in
        for worker in workers.prefix(6) {
          try await Task.sleep(for: .milliseconds(60))
          worker.signal(SIGKILL)
        }
      }
      #expect(count(result.lines) <= 3_000)
      // A process that was killed may have got one permit without writing it.
      if count(result.lines) < 3_000 - 6 {
        // On a busy machine one of the others may have had no time.
        #expect(result.lines.suffix(2).contains { $0.count > 1 })
      }
    }

    @Test(arguments: Servers.kinds)
    func `a server that is paused grants no more than the quota, and goes on`(
      kind: StoreKind
    ) async throws {
      let result = try await take(
        kind, for: 3_000, capacity: 10, refill: 1, every: 10, timeout: 200
      ) { _ in
        try await Task.sleep(for: .milliseconds(500))
        try await Servers.pause(kind, for: .milliseconds(600))
      }
      #expect(count(result.lines) <= 10 + Int(result.time / .milliseconds(10)))
      #expect(result.lines.joined().contains("failure"))
      #expect(result.lines.contains { $0.drop { $0 != "failure" }.contains("granted") })
    }

    @Test(arguments: Servers.kinds)
    func `connections that are cut do not add permits, and are replaced`(
      kind: StoreKind
    ) async throws {
      let result = try await take(
        kind, for: 1_500, capacity: 10, refill: 1, every: 10, timeout: 200
      ) { _ in
        for _ in 0..<5 {
          try await Task.sleep(for: .milliseconds(150))
          try Servers.cutConnections(of: kind)
        }
      }
      #expect(count(result.lines) <= 10 + Int(result.time / .milliseconds(10)))
      #expect(count(result.lines) > 10)
      #expect(result.lines.joined().contains("failure"))
    }
  }
}
