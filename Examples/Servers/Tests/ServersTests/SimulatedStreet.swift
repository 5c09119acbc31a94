import AsyncHTTPClient
import EscapementNetwork
import EscapementTesting
import GRPCCore
import GRPCNIOTransportHTTP2Posix
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Servers
import Testing

/// The hosts of a test, and the network between them.
struct SimulatedStreet {
  let network: SimulatedNetwork
  let warehouse, shop, customer: SimulatedHost

  init() throws {
    network = try SimulatedNetwork()
    warehouse = network.host("warehouse")
    shop = network.host("shop")
    customer = network.host("customer")
    network.links.latency = .milliseconds(40)
    network.setLink(between: shop, and: warehouse, LinkQuality(latency: .milliseconds(5)))
  }

  /// The shop asks the warehouse for each customer.
  func serveShop() {
    shop.run { [shop] in
      try await shop.withHTTPClient { client in
        let warehouse = WarehouseClient(client, at: "http://warehouse:8080")
        try await runServer("stock") { "\(try await warehouse.stock()["tea"] ?? 0)" }
      }
    }
  }

  /// Runs a courier in the shop, and a body with a client at the customer's.
  func withCourierInShop(
    configure: @escaping @Sendable (inout HTTP2ClientTransport.Posix.Config) -> Void = { _ in },
    _ body: @escaping @Sendable (GRPCClient<HTTP2ClientTransport.Posix>) async throws -> Void
  ) async throws {
    shop.run { try await serveCourier(port: 5000) }
    try await customer.perform {
      try await withEventLoops(1) { loops in
        try await withCourier(
          at: .dns(host: "shop", port: 5000), on: loops, configure: configure, body)
      }
    }
  }
}

/// Plays again and again, and expects the same log each time.
func sameLog(
  _ play: @escaping @Sendable (SimulatedStreet, Log<String>) async throws -> Void
) async throws -> [String] {
  var first: [String]?
  for round in 1...SameLogTests.rounds {
    let log = Log<String>()
    try await withVirtualTime { _ in try await play(try SimulatedStreet(), log) }
    first = first ?? log.entries
    try #require(log.entries == first, "round \(round)")
  }
  return first ?? []
}

/// Runs a server of Hummingbird at port 8080, on an event loop of its own.
func runServer(
  _ path: RouterPath, _ answer: @escaping @Sendable () async throws -> String
) async throws {
  try await withEventLoops(1) { loops in try await runServer(path, on: loops, answer) }
}

func runServer(
  _ path: RouterPath, on loops: MultiThreadedEventLoopGroup,
  _ answer: @escaping @Sendable () async throws -> String
) async throws {
  let router = Router()
  router.get(path) { _, _ in try await answer() }
  var logger = Logger(label: "server")
  logger.logLevel = .critical
  try await Application(
    router: router, configuration: .init(address: .hostname("0.0.0.0", port: 8080)),
    eventLoopGroupProvider: .shared(loops), logger: logger
  ).run()
}

extension SimulatedHost {
  func serve(
    _ path: RouterPath, _ answer: @escaping @Sendable () async throws -> String
  ) {
    run { try await runServer(path, answer) }
  }

  func withHTTPClient(
    _ body: @escaping @Sendable (HTTPClient) async throws -> Void
  ) async throws {
    try await perform {
      try await withEventLoops(1) { loops in
        let client = HTTPClient(eventLoopGroupProvider: .shared(loops))
        let result = await Result { try await body(client) }
        try await client.shutdown()
        try result.get()
      }
    }
  }
}

extension Result where Failure == any Error {
  init(_ body: () async throws -> Success) async {
    do { self = .success(try await body()) } catch { self = .failure(error) }
  }
}

extension HTTPClient {
  /// Asks, and returns the status and the text of the answer, and how long it took.
  func ask(_ url: String) async throws -> (String, Duration) {
    let start = ContinuousClock.now
    let response = try await execute(HTTPClientRequest(url: url), timeout: .seconds(60))
    let text = try await String(buffer: response.body.collect(upTo: 100))
    return ("\(response.status.code) \(text)", ContinuousClock.now - start)
  }
}
