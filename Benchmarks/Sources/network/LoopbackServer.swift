import FlyingFox
import FlyingSocks
import Foundation

/// Runs a body that can reach a server, which answers every request with a constant.
@MainActor func withLoopbackServer(
  _ body: @MainActor (_ url: URL) async throws -> Void
) async throws {
  let server = HTTPServer(address: try .inet(ip4: "127.0.0.1", port: 0), logger: .disabled)
  await server.appendRoute("*") { _ in HTTPResponse(statusCode: .ok, body: Data("constant".utf8)) }
  let running = Task { try await server.run() }
  try await server.waitUntilListening()
  guard case .ip4(_, let port)? = await server.listeningAddress else {
    throw CancellationError()
  }
  try await body(URL(string: "http://127.0.0.1:\(port)/")!)
  await server.stop()
  _ = try? await running.value
}
