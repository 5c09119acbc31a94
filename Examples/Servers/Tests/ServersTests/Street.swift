import AsyncHTTPClient
import Escapement
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Servers
import ServiceLifecycle

/// A warehouse, a shop that asks it, and a client for customers, on event loops of their own.
struct Street: Sendable {
  let stock: Stock
  let shop: ServiceGroup
  let shopAddress: SocketAddress
  let warehouseAddress: SocketAddress
  let warehouse: WarehouseClient
  let client: HTTPClient
  let group: MultiThreadedEventLoopGroup

  /// Asks the shop; returns the status and the text of its answer.
  func get(_ path: String, within timeout: TimeAmount = .seconds(60)) async throws -> String {
    let request = HTTPClientRequest(url: "http://127.0.0.1:\(shopAddress.port!)/\(path)")
    let response = try await client.execute(request, timeout: timeout)
    let body = try await String(buffer: response.body.collect(upTo: 100))
    return "\(response.status.code) \(body)"
  }
}

/// Runs a body with both servers, and shuts them down gracefully.
///
/// - Parameters:
///   - warehouse: How the warehouse answers.
///   - shared: The event loops; by default two that exist as long as the servers.
func withStreet<Result: Sendable>(
  warehouse answer: @escaping @Sendable () async throws -> String,
  on shared: MultiThreadedEventLoopGroup? = nil,
  _ body: @Sendable (Street) async throws -> Result
) async throws -> Result {
  let group = shared ?? MultiThreadedEventLoopGroup(numberOfThreads: 2)
  let client = HTTPClient(eventLoopGroupProvider: .shared(group))
  var logger = Logger(label: "street")
  logger.logLevel = .critical
  let router = Router()
  router.get("stock") { _, _ in try await answer() }
  let addresses = (shop: Promise<SocketAddress>(), warehouse: Promise<SocketAddress>())
  let server = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { addresses.warehouse.fulfil($0.localAddress!) },
    eventLoopGroupProvider: .shared(group), logger: logger)
  let suppliers = ServiceGroup(services: [server], logger: logger)
  let supplying = Task { [suppliers] in try await suppliers.run() }

  let stock = Stock()
  let warehouseAddress = await addresses.warehouse.value
  let warehouse = WarehouseClient(client, at: "http://127.0.0.1:\(warehouseAddress.port!)")
  let services = Shop(stock: stock, warehouse: warehouse).services(on: group, logger: logger) {
    addresses.shop.fulfil($0.localAddress!)
  }
  let shop = ServiceGroup(services: services, logger: logger)
  let selling = Task { [shop] in try await shop.run() }
  let street = Street(
    stock: stock, shop: shop, shopAddress: await addresses.shop.value,
    warehouseAddress: warehouseAddress, warehouse: warehouse, client: client, group: group)
  let result: Swift.Result<Result, any Error>
  do {
    result = .success(try await body(street))
  } catch {
    result = .failure(error)
  }
  await shop.triggerGracefulShutdown()
  try await selling.value
  await suppliers.triggerGracefulShutdown()
  try await supplying.value
  try await client.shutdown()
  if shared == nil { try await group.shutdownGracefully() }
  return try result.get()
}

/// A value that comes later.
struct Promise<Value: Sendable>: Sendable {
  private let stream: AsyncStream<Value>
  private let continuation: AsyncStream<Value>.Continuation

  init() { (stream, continuation) = AsyncStream.makeStream() }

  func fulfil(_ value: Value) { continuation.yield(value) }

  var value: Value { get async { await stream.first { _ in true }! } }
}
