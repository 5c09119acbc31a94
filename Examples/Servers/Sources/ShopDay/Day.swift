import AsyncHTTPClient
import Escapement
import EscapementVirtualTime
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import Servers
import ServiceLifecycle

/// A day of a shop: its warehouse is slow from 9 to 10, it has ten times the customers from 12 to 13, and its store is
/// lost from 16 to 17.
struct Day {
  /// The time between two customers.
  var interval = Duration.seconds(30)

  /// Plays the day in virtual time.
  func play() async throws -> DayLog {
    try await withVirtualTime { time in
      let log = DayLog(start: time.now, clock: time)
      let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
      let client = HTTPClient(eventLoopGroupProvider: .shared(group))
      var logger = Logger(label: "shop")
      logger.logLevel = .critical
      let (warehouseAddress, warehouse) = AsyncStream.makeStream(of: Int.self)
      let (shopAddress, shop) = AsyncStream.makeStream(of: Int.self)

      let goods = Application(
        router: warehouseRouter(log),
        configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { warehouse.yield($0.localAddress!.port!) },
        eventLoopGroupProvider: .shared(group), logger: logger)
      let supplying = ServiceGroup(services: [goods], logger: logger)
      let suppliers = Task { try await supplying.run() }
      let desk = try OrderDesk(
        client, warehouse: "http://127.0.0.1:\(await warehouseAddress.first { _ in true }!)",
        store: LosableStore(log: log), onEvent: log.record)
      let server = try orderServer(desk, on: group, logger: logger, onEvent: log.record) {
        shop.yield($0.localAddress!.port!)
      }
      let selling = ServiceGroup(services: [server], logger: logger)
      let sellers = Task { try await selling.run() }
      try await serveCustomers(
        client, at: "http://127.0.0.1:\(await shopAddress.first { _ in true }!)", log)

      await selling.triggerGracefulShutdown()
      try await sellers.value
      await supplying.triggerGracefulShutdown()
      try await suppliers.value
      try await client.shutdown()
      try await group.shutdownGracefully()
      return log
    }
  }

  private func warehouseRouter(_ log: DayLog) -> Router<BasicRequestContext> {
    let router = Router()
    router.post("goods/:order") { _, _ in
      try await Task.sleep(for: log.hour == 9 ? .seconds(5) : .milliseconds(50))
      return "reserved"
    }
    return router
  }

  /// Customers come until midnight, and none waits for longer than a minute.
  private func serveCustomers(_ client: HTTPClient, at address: String, _ log: DayLog) async throws
  {
    try await withThrowingDiscardingTaskGroup { group in
      var number = 0
      while log.hour < 24 {
        try await Task.sleep(for: log.hour == 12 ? interval / 10 : interval)
        number += 1
        group.addTask { [number] in
          var request = HTTPClientRequest(url: "\(address)/orders/\(number)")
          request.method = .POST
          let hour = log.hour
          do {
            let response = try await client.execute(request, timeout: .seconds(60))
            let body = try await String(buffer: response.body.collect(upTo: 1_000))
            log.answer(response.status == .ok ? body : "\(response.status.code)", in: hour)
          } catch {
            log.answer("\(type(of: error))", in: hour)
          }
        }
      }
    }
  }
}

/// A store that does not answer from 16 to 17.
private struct LosableStore: SharedStore {
  struct Lost: Error {}

  let log: DayLog
  private let memory = InMemoryStore()

  init(log: DayLog) { self.log = log }

  func perform(_ command: StoreCommand) async throws -> [Int64] {
    if log.hour == 16 { throw Lost() }
    return await memory.perform(command)
  }
}
