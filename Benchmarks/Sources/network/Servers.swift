import EscapementDoubles
import EscapementMockServer
import FlyingFox
import FlyingSocks
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension NetworkBenchmark {
  /// Answers with a mock server, on a connection that is kept.
  func withServer(_ body: (URLSession, URL) async throws -> Void) async throws {
    try await withMockServer { server in
      server.stub(.get, "/", returns: .text("hello"))
      try await body(URLSession(configuration: .ephemeral), server.url)
    }
  }

  /// Answers with FlyingFox's own server, on a connection that is kept.
  func withFlyingFox(_ body: (URLSession, URL) async throws -> Void) async throws {
    let handler = ClosureHTTPHandler { _ in
      HTTPResponse(statusCode: .ok, body: Data("hello".utf8))
    }
    let server = try HTTPServer(
      address: .inet(ip4: "127.0.0.1", port: 0), logger: .disabled, handler: handler)
    let task = Task { try await server.run() }
    try await server.waitUntilListening()
    guard let address = await server.listeningAddress, case .ip4(_, let port) = address else {
      throw URLError(.cannotConnectToHost)
    }
    try await body(URLSession(configuration: .ephemeral), URL(string: "http://127.0.0.1:\(port)")!)
    await server.stop()
    _ = await task.result
  }
}
