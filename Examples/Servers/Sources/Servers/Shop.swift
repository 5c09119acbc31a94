import Escapement
import Hummingbird
public import Logging
public import NIOCore
public import ServiceLifecycle

/// A server that tells customers what is in stock, and a job that asks the warehouse every five minutes.
public struct Shop: Sendable {
  /// What the customers are told.
  public let stock: Stock
  let warehouse: WarehouseClient

  /// Creates a shop that has not asked the warehouse yet.
  public init(stock: Stock, warehouse: WarehouseClient) {
    self.stock = stock
    self.warehouse = warehouse
  }

  /// The services of the shop, which a `ServiceGroup` runs and shuts down.
  ///
  /// - Parameter isRunning: Called when the server listens.
  public func services(
    on group: any EventLoopGroup, logger: Logger,
    isRunning: @escaping @Sendable (any Channel) async -> Void
  ) -> [any Service] {
    let router = Router()
    router.get("stock/:item") { _, context in
      let item = try context.parameters.require("item")
      guard let count = await stock.count(of: item) else { throw HTTPError(.notFound) }
      return "\(count)"
    }
    router.get("invoice") { _, _ in
      try await Task.sleep(for: .seconds(20))
      return "paid"
    }
    let server = Application(
      router: router,
      server: .http1(configuration: .init(idleTimeout: .seconds(60))),
      configuration: .init(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: isRunning,
      eventLoopGroupProvider: .shared(group), logger: logger)
    let job = PeriodicTaskService(every: .seconds(300)) {
      do {
        await stock.refresh(try await warehouse.stock())
      } catch {
        logger.warning("The warehouse does not answer: \(error)")
      }
    }
    return [server, job]
  }
}
