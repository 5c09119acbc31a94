import AsyncHTTPClient
import Cluster
import EscapementNetwork
import EscapementSimulation
import NIOCore
import NIOPosix

/// Three members of a cluster and its customers, on a host each, 5 ms from each other.
struct SimulatedCluster {
  private static let addresses = ["alpha", "beta", "gamma"].map {
    (name: $0, address: "http://\($0):8080")
  }

  let network: SimulatedNetwork
  let customers: [SimulatedHost]
  private let members: [SimulatedHost]

  init(_ flaws: Set<Flaw>) throws {
    network = try SimulatedNetwork()
    network.links.latency = .milliseconds(5)
    members = Self.addresses.map { [network] in network.host($0.name) }
    customers = ["anna", "ben"].map { [network] in network.host($0) }
    for member in members {
      let disk = SimulatedDisk()
      member.run {
        try await withHTTPClient { client, loops in
          let replica = try await Replica(
            member.name, of: Self.addresses, journal: disk, client: client, flaws: flaws)
          try await replica.serve(on: loops)
        }
      }
    }
  }

  /// Runs code of a customer with a client of the cluster.
  func withClient(
    of customer: SimulatedHost, _ body: @escaping @Sendable (LedgerClient) async throws -> Void
  ) async throws {
    try await customer.perform {
      try await withHTTPClient { client, _ in
        try await body(LedgerClient(client, of: Self.addresses.map(\.address)))
      }
    }
  }

  /// The members stand in one rack, which loses power at times.
  func losePower(for seconds: Int) async throws {
    for _ in 0..<seconds {
      try await Task.sleep(for: .seconds(1))
      guard Simulation.chance(0.02, "the rack loses power") else { continue }
      for member in members { member.crash(losingPower: true) }
      try await Task.sleep(for: .seconds(2))
      for member in members where member.hasCrashed { member.restart() }
    }
  }
}

/// Runs a body with a client and an event loop of its own.
private func withHTTPClient(
  _ body: (HTTPClient, MultiThreadedEventLoopGroup) async throws -> Void
) async throws {
  let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
  let client = HTTPClient(eventLoopGroupProvider: .shared(loops))
  let result: Result<Void, any Error>
  do { result = .success(try await body(client, loops)) } catch { result = .failure(error) }
  try await client.shutdown()
  try await loops.shutdownGracefully()
  try result.get()
}
