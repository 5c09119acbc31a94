public import Escapement
import EscapementHummingbird
public import Hummingbird
public import Logging
public import NIOCore

/// The server of an `OrderDesk`, which refuses what it would answer too late.
///
/// - Parameters:
///   - desk: The desk.
///   - onEvent: Called for each event of a block, with its name.
///   - isRunning: Called when the server listens.
public func orderServer(
  _ desk: OrderDesk, on group: any EventLoopGroup, logger: Logger,
  onEvent: @escaping @Sendable (_ block: String, BlockEvent) -> Void,
  isRunning: @escaping @Sendable (any Channel) async -> Void
) throws -> some ApplicationProtocol {
  let packers = try ConcurrencyLimiter(
    .fixed(2), maximumDelay: .seconds(20), onEvent: { onEvent("packers", $0) })
  let router = Router()
  router.add(middleware: LoadSheddingMiddleware(packers, retryAfter: .seconds(60)))
  router.add(middleware: try DeadlineMiddleware(default: .seconds(60)))
  router.post("orders/:order") { _, context in
    try await desk.take(try context.parameters.require("order")).rawValue
  }
  return Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: isRunning, eventLoopGroupProvider: .shared(group), logger: logger)
}
