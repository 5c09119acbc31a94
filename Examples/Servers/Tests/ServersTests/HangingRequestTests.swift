import AsyncHTTPClient
import EscapementTesting
import Hummingbird
import NIOPosix
import ServiceLifecycle
import Testing

/// The report of a test whose request never gets an answer.
@Suite struct HangingRequestTests {
  private static let lineOfWait = #line + 5

  private static var routes: Router<BasicRequestContext> {
    let router = Router()
    router.get("never") { _, _ in
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
      return "never"
    }
    return router
  }

  /// Asks a server that does not answer.
  private static func hang() async throws {
    // A server of Hummingbird looks at its date each second, so time moves for ever.
    try await withVirtualTime(VirtualTimeOptions(eventLimit: 1_000)) { _ in
      let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)
      let (ports, continuation) = AsyncStream.makeStream(of: Int.self)
      let server = Application(
        router: routes, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
        onServerRunning: { continuation.yield($0.localAddress!.port!) },
        eventLoopGroupProvider: .shared(loops))
      async let running: Void = server.run()
      try await HTTPClient.withHTTPClient(eventLoopGroup: loops) { client in
        let port = await ports.first { _ in true }!
        _ = try await client.execute(
          HTTPClientRequest(url: "http://127.0.0.1:\(port)/never"), deadline: .distantFuture)
      }
      try await running
      try await loops.shutdownGracefully()
    }
  }

  @Test func `the handler is among the tasks that are shown, with its line`() async throws {
    let messages = Log<String>()
    await withKnownIssue {
      try? await Self.hang()
    } matching: { issue in
      messages.append(issue.comments.map(\.rawValue).joined())
      return true
    }
    let message = try #require(messages.entries.first { $0.contains("is endless") })
    #expect(message.contains("HangingRequestTests.swift:\(Self.lineOfWait)"), "\(message)")
    // Of the client's calls, the one that the test has made.
    #expect(
      message.contains("HTTPClient.execute(_:deadline:logger:) <- closure in"), "\(message)")
  }
}
