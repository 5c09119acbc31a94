import AsyncHTTPClient
import EscapementHummingbird
import EscapementTesting
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

/// Bodies that end too early, or that nobody reads, through all middleware.
@Suite(.virtualTime) struct ServerBodyTests {
  private let limiter: ConcurrencyLimiter<ContinuousClock>
  private let ends = Log<String>()

  init() throws { limiter = try ConcurrencyLimiter(.fixed(1), maximumWaiting: 0) }

  private var oneConnection: HTTPClient.Configuration {
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
    return configuration
  }

  private func addRoutes(to router: Router<BasicRequestContext>) throws {
    router.add(middleware: LoadSheddingMiddleware(limiter))
    router.add(middleware: try DeadlineMiddleware(default: .seconds(5)))
    router.add(
      middleware: try QuotaMiddleware(.slidingWindow(limit: 100, per: .seconds(60))) { _, _ in 1 })
    router.post("stock") { [ends] request, _ in
      defer { ends.append("handler") }
      return "\(try await request.body.collect(upTo: 1 << 30).readableBytes)"
    }
    router.get("old") { _, _ in Response.redirect(to: "/new", type: .temporary) }
    router.get("new") { _, _ in "tea" }
    router.get("endless") { [ends] _, _ in
      Response(
        status: .ok,
        body: ResponseBody { writer in
          defer { ends.append("body") }
          while true {
            try await writer.write(ByteBuffer(repeating: 0, count: 1 << 16))
            try await Task.sleep(for: .seconds(1))
          }
        })
    }
  }

  @Test func `a client that goes away in the middle of its request gives its place back`()
    async throws
  {
    try await withServer(addRoutes) { server in
      for _ in 1...10 {
        var request = HTTPClientRequest(url: "\(server.address)/stock")
        request.method = .POST
        let (body, parts) = AsyncStream.makeStream(of: ByteBuffer.self)
        request.body = .stream(body, length: .unknown)
        parts.yield(ByteBuffer(string: "tea"))
        let call = Task { [request] in
          try await server.client.execute(request, timeout: .hours(1))
        }
        try await Task.sleep(for: .seconds(1))
        #expect(limiter.running == 1)
        call.cancel()
        await #expect(throws: (any Error).self) { try await call.value }
        try await Task.sleep(for: .seconds(1))
        #expect(limiter.running == 0)
      }
      #expect(ends.count == 10)
    }
  }

  @Test func `a refused request whose body is not read leaves its connection in order`()
    async throws
  {
    try await withServer(addRoutes, configuration: oneConnection) { server in
      func post() async throws -> String {
        var request = HTTPClientRequest(url: "\(server.address)/stock")
        request.method = .POST
        let chunks = AsyncStream { parts in
          for _ in 0..<10 { parts.yield(ByteBuffer(repeating: 0, count: 1 << 16)) }
          parts.finish()
        }
        request.body = .stream(chunks, length: .unknown)
        return try await server.client.execute(request, timeout: .hours(1)).text
      }
      for _ in 1...10 {
        // Another request has the only place.
        let place = Task { [limiter] in
          try await limiter.run { try await Task.sleep(for: .seconds(1)) }
        }
        await VirtualTime.current?.settle()
        #expect(try await post().hasPrefix("503"))
        try await place.value
        #expect(try await post() == "200 \(10 << 16)")
      }
      #expect(ends.count == 10)
    }
  }

  @Test func `an answer that is read halfway holds no place`() async throws {
    let time = try VirtualTime.required
    try await withServer(addRoutes) { server in
      for _ in 1...10 {
        let request = HTTPClientRequest(url: "\(server.address)/endless")
        let response = try await server.client.execute(request, timeout: .hours(1))
        #expect(limiter.running == 0)
        var size = 0
        for try await part in response.body {
          size += part.readableBytes
          // The deadline does not include the body.
          if size >= 10 << 16 { break }
        }
      }
      #expect(time.now.offset >= .seconds(90))
      try await Task.sleep(for: .seconds(10))
      // The server stops writing when the client is away.
      #expect(ends.count == 10)
    }
  }

  @Test func `a redirect is a request, and so is the next one`() async throws {
    try await withServer(addRoutes) { server in
      for remaining in [98, 96] {
        let request = HTTPClientRequest(url: "\(server.address)/old")
        let response = try await server.client.execute(request, timeout: .hours(1))
        #expect(response.headers["RateLimit"] == [#""default";r=\#(remaining)"#])
        #expect(try await response.text == "200 tea")
      }
      #expect(limiter.running == 0)
    }
  }
}
