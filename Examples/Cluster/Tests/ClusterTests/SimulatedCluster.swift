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
  private let members: [SimulatedHost]

  init(_ flaws: Set<Flaw>) throws {
    network = try SimulatedNetwork()
    network.links.latency = .milliseconds(5)
    members = Self.addresses.map { [network] in network.host($0.name) }
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

  /// A customer on a host, with a client of the cluster.
  struct Customer: Sendable {
    let host: SimulatedHost
    let client: LedgerClient

    func perform(_ call: SequentialLedger.Call) async throws -> [String]? {
      try await host.perform {
        switch call {
        case .read: return try await client.bookings().map(\.id)
        case .book(let number):
          try await client.book(Booking(id: "\(number)", text: "tea"))
          return nil
        }
      }
    }
  }

  /// Runs code with two customers.
  func withCustomers(
    _ body: @escaping @Sendable ([Customer]) async throws -> Void
  ) async throws {
    try await withCustomer("anna") { anna in
      try await withCustomer("ben") { ben in try await body([anna, ben]) }
    }
  }

  private func withCustomer(
    _ name: String, _ body: @escaping @Sendable (Customer) async throws -> Void
  ) async throws {
    let host = network.host(name)
    try await host.perform {
      try await withHTTPClient { client, _ in
        let client = LedgerClient(client, of: Self.addresses.map(\.address))
        try await body(Customer(host: host, client: client))
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
