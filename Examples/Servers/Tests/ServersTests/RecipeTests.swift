// The articles "Testing a server" and "Testing a server and its supplier" have this file, so it needs
// nothing of the others.

import AsyncHTTPClient
import Escapement
import EscapementTesting
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import Testing

/// The routes of a shop that asks the supplier at a port for each price, three times at most.
private func shopRoutes(
  asking supplier: Int, with client: HTTPClient
) -> Router<BasicRequestContext> {
  let router = Router()
  router.get("price/:item") { _, context in
    let item = try context.parameters.require("item")
    return try await retry(maximumAttempts: 3, backoff: .constant(.seconds(1))) {
      try await price(of: item, at: supplier, with: client)
    }
  }
  return router
}

/// Asks the server at a port for a price.
private func price(of item: String, at port: Int, with client: HTTPClient) async throws -> String {
  let request = HTTPClientRequest(url: "http://127.0.0.1:\(port)/price/\(item)")
  let response = try await client.execute(request, timeout: .seconds(5))
  guard response.status == .ok else { throw HTTPError(.badGateway) }
  return try await String(buffer: response.body.collect(upTo: 1_000))
}

/// Runs a body with the port of a server, and shuts the server down.
private func withServer(
  _ router: Router<BasicRequestContext>, port: Int = 0, on group: any EventLoopGroup,
  _ body: (Int) async throws -> Void
) async throws {
  let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
  let server = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)),
    onServerRunning: { continuation.yield($0.localAddress!.port!) },
    eventLoopGroupProvider: .shared(group))
  let services = ServiceGroup(services: [server], logger: server.logger)
  try await withThrowingDiscardingTaskGroup { tasks in
    tasks.addTask {
      // A server that cannot start has no port, and its error ends the group.
      defer { continuation.finish() }
      try await services.run()
    }
    guard let port = await ports.first(where: { _ in true }) else { return }
    try await body(port)
    await services.triggerGracefulShutdown()
  }
}

/// Runs a body with event loops and a client that belong to the scope.
private func withClient(
  _ body: (HTTPClient, any EventLoopGroup) async throws -> Void
) async throws {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  do {
    try await HTTPClient.withHTTPClient(eventLoopGroup: group) { try await body($0, group) }
  } catch {
    try await group.shutdownGracefully()
    throw error
  }
  try await group.shutdownGracefully()
}

/// When the supplier was asked.
private actor Requests {
  private(set) var times: [Duration] = []

  func add(_ time: Duration) -> Int {
    times.append(time)
    return times.count
  }
}

@Suite(.virtualTime) struct ShopRecipes {
  @Test func `a price is told when the supplier answers the third request`() async throws {
    let time = try VirtualTime.required
    let requests = Requests()
    let supplier = Router()
    supplier.get("price/:item") { _, _ in
      if await requests.add(time.now.offset) < 3 { throw HTTPError(.serviceUnavailable) }
      return "4.20"
    }
    try await withClient { client, group in
      try await withServer(supplier, on: group) { supplier in
        try await withServer(shopRoutes(asking: supplier, with: client), on: group) { shop in
          let price = try await price(of: "tea", at: shop, with: client)
          #expect(price == "4.20")
        }
      }
    }
    let times = await requests.times
    #expect(times == [.seconds(0), .seconds(1), .seconds(2)])
  }

  @Test func `a price is told when the supplier is back before the third request`() async throws {
    let supplier = Router()
    supplier.get("price/:item") { _, _ in "4.20" }
    try await withClient { client, group in
      var away = 0
      try await withServer(supplier, on: group) { away = $0 }
      try await withServer(shopRoutes(asking: away, with: client), on: group) { shop in
        let answer = Task { try await price(of: "tea", at: shop, with: client) }
        try await Task.sleep(for: .milliseconds(1_500))
        try await withServer(supplier, port: away, on: group) { _ in
          let price = try await answer.value
          #expect(price == "4.20")
        }
      }
    }
  }
}

/// The routes of a server that needs ten seconds for an invoice.
private var invoices: Router<BasicRequestContext> {
  let router = Router()
  router.get("invoice") { _, _ in
    try await Task.sleep(for: .seconds(10))
    return "paid"
  }
  return router
}

@Test(.virtualTime) func `an invoice takes ten seconds, without sockets`() async throws {
  let time = try VirtualTime.required
  try await Application(router: invoices).test(.router) { client in
    let response = try await client.execute(uri: "/invoice", method: .get)
    #expect(String(buffer: response.body) == "paid")
  }
  #expect(time.now.offset == .seconds(10))
}

@Test(.virtualTime(.sharedEventLoops))
func `an invoice takes ten seconds, over a socket`() async throws {
  let time = try VirtualTime.required
  try await Application(router: invoices).test(.live) { client in
    let response = try await client.execute(uri: "/invoice", method: .get)
    #expect(String(buffer: response.body) == "paid")
  }
  #expect(time.now.offset == .seconds(10))
}
