import AsyncHTTPClient
import EscapementTesting
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle

/// A server on event loops of its own, and a client for it.
struct Connection: Sendable {
  let address: String
  let client: HTTPClient
}

/// Runs a body with a server that listens on the loopback interface, and shuts both down.
///
/// - Parameters:
///   - configure: Adds middleware and routes.
///   - configuration: The setup of the client.
func withServer<Result: Sendable>(
  _ configure: (Router<BasicRequestContext>) throws -> Void,
  configuration: HTTPClient.Configuration = .init(),
  _ body: (Connection) async throws -> Result
) async throws -> Result {
  let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
  let client = HTTPClient(eventLoopGroupProvider: .shared(group), configuration: configuration)
  var logger = Logger(label: "server")
  logger.logLevel = .critical
  let router = Router()
  try configure(router)
  let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
  let server = Application(
    router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
    onServerRunning: { continuation.yield($0.localAddress!.port!) },
    eventLoopGroupProvider: .shared(group), logger: logger)
  let services = ServiceGroup(services: [server], logger: logger)
  let serving = Task { [services] in try await services.run() }
  let port = await ports.first { _ in true }!
  let result: Swift.Result<Result, any Error>
  do {
    result = .success(
      try await body(Connection(address: "http://127.0.0.1:\(port)", client: client)))
  } catch {
    result = .failure(error)
  }
  // An answer that nobody reads would keep the client from its shutdown.
  try await client.shutdown()
  await services.triggerGracefulShutdown()
  try await serving.value
  try await group.shutdownGracefully()
  return try result.get()
}

/// Runs a body with a server that answers each request of any method with a function.
func withServer<Result: Sendable>(
  configuration: HTTPClient.Configuration = .init(),
  answering answer: @escaping @Sendable (Request) async throws -> Response,
  _ body: (Connection) async throws -> Result
) async throws -> Result {
  try await withServer(
    { router in
      for method: HTTPRequest.Method in [.get, .head, .post, .put, .delete, .patch] {
        router.on("**", method: method) { request, _ in try await answer(request) }
        router.on("", method: method) { request, _ in try await answer(request) }
      }
    }, configuration: configuration, body)
}

extension Response {
  /// An answer with a text.
  init(_ status: HTTPResponse.Status, _ text: String = "", headers: HTTPFields = [:]) {
    self.init(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
  }
}

extension HTTPClientResponse {
  /// The status and the text of the answer.
  var text: String {
    get async throws {
      "\(status.code) \(String(buffer: try await body.collect(upTo: 1 << 20)))"
    }
  }
}
