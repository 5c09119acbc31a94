import AsyncHTTPClient
import EscapementHummingbird
import EscapementTesting
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

private func configuration(connections: Int) -> HTTPClient.Configuration {
  var configuration = HTTPClient.Configuration()
  configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connections
  return configuration
}

extension Connection {
  /// Asks for the page that takes a second.
  fileprivate func get(
    important isImportant: Bool = false
  ) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(url: address)
    if isImportant { request.headers.add(name: "Priority", value: "u=0") }
    let response = try await client.execute(request, timeout: .hours(1))
    _ = try await response.body.collect(upTo: 1_000)
    return response
  }
}

@Suite(.virtualTime) struct LoadSheddingMiddlewareTests {
  @Test func `a request that would wait for too long is refused`() async throws {
    let time = try VirtualTime.required
    let limiter = try ConcurrencyLimiter(
      .fixed(2), maximumWaiting: 4, maximumDelay: .milliseconds(1_500))
    try await withServer(
      { router in
        router.add(middleware: LoadSheddingMiddleware(limiter, retryAfter: .milliseconds(2_100)))
        router.get("") { _, _ in
          try await Task.sleep(for: .seconds(1))
          return "tea"
        }
      }, configuration: configuration(connections: 100)
    ) { server in
      let answers = try await withThrowingTaskGroup(of: String.self) { calls in
        for _ in 0..<10 {
          calls.addTask {
            let response = try await server.get()
            let field = response.headers["Retry-After"].first ?? "-"
            return "\(response.status.code) \(field) \(time.now.offset / .seconds(1))"
          }
        }
        return try await calls.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      // Two at once, two after a second; two have waited for too long, and four found no place.
      #expect(
        answers == ["200 - 1.0": 2, "200 - 2.0": 2, "503 3 2.0": 2, "503 3 0.0": 4])
      #expect(limiter.running == 0)
      #expect(limiter.waiting == 0)
    }
  }

  @Test func `an important request goes first`() async throws {
    let time = try VirtualTime.required
    let limiter = try ConcurrencyLimiter(.fixed(1))
    try await withServer(
      { router in
        router.add(
          middleware: LoadSheddingMiddleware(limiter) { request, _ in
            request.headers[.priority] == "u=0" ? .high : .medium
          })
        router.get("") { _, _ in
          try await Task.sleep(for: .seconds(1))
          return "tea"
        }
      }, configuration: configuration(connections: 100)
    ) { server in
      async let first = server.get()
      async let second = server.get()
      try await Task.sleep(for: .milliseconds(500))
      _ = try await server.get(important: true)
      #expect(time.now.offset == .seconds(2))
      _ = try await (first, second)
      #expect(time.now.offset == .seconds(3))
    }
  }

  @Test func `clients that are refused together are sent away for different times`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), maximumWaiting: 0)
    try await withServer(
      { router in
        router.add(
          middleware: LoadSheddingMiddleware(limiter, retryAfter: .seconds(2), spread: .seconds(3)))
        router.get("") { _, _ in
          try await Task.sleep(for: .seconds(1))
          return "tea"
        }
      }, configuration: configuration(connections: 100)
    ) { server in
      let fields = try await withThrowingTaskGroup(of: String.self) { calls in
        for _ in 0..<100 {
          calls.addTask { try await server.get().headers["Retry-After"].first ?? "-" }
        }
        return try await calls.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(fields.keys.sorted() == ["-", "2", "3", "4", "5"])
    }
  }

  @Test func `a handler that throws gives its place back`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1))
    try await withServer { router in
      router.add(middleware: LoadSheddingMiddleware(limiter))
      router.get("") { _, _ -> String in throw HTTPError(.conflict) }
    } _: { server in
      for _ in 1...3 {
        let response = try await server.get()
        #expect(response.status == .conflict)
      }
      #expect(limiter.running == 0)
    }
  }

  /// Hummingbird cancels the handler of a client that has gone away only where the handler asks for it.
  @Test(arguments: [true, false])
  func `a client that goes away gives its place back when its handler ends`(
    isCancelled: Bool
  ) async throws {
    let time = try VirtualTime.required
    let limiter = try ConcurrencyLimiter(.fixed(1))
    let ends = Log<Duration>()
    try await withServer(
      { router in
        router.add(middleware: LoadSheddingMiddleware(limiter))
        router.get("") { request, _ in
          defer { ends.append(time.now.offset) }
          guard isCancelled else {
            try await Task.sleep(for: .seconds(60))
            return "tea"
          }
          return try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await Task.sleep(for: .seconds(60))
            return "tea"
          }
        }
      }, configuration: configuration(connections: 100)
    ) { server in
      // One has its place, and one waits for it.
      let calls = (1...2).map { _ in Task { try await server.get() } }
      try await Task.sleep(for: .seconds(1))
      #expect(limiter.running == 1)
      #expect(limiter.waiting == 1)
      for call in calls { call.cancel() }
      for call in calls { await #expect(throws: (any Error).self) { try await call.value } }
      try await Task.sleep(for: .seconds(200))
      #expect(ends.entries == (isCancelled ? [1, 1] : [60, 120]).map { .seconds($0) })
      #expect(limiter.running == 0)
      #expect(limiter.waiting == 0)
    }
  }

  @Test func `a limit that adapts finds how much the server can do at once`() async throws {
    let time = try VirtualTime.required
    let limiter = try ConcurrencyLimiter(.vegas(initial: 64, in: 1...200))
    // Eight processors, and a request takes one of them for 100 ms.
    let processors = try ConcurrencyLimiter(.fixed(8))
    let latencies = Log<Duration>()
    try await withServer(
      { router in
        router.add(middleware: LoadSheddingMiddleware(limiter))
        router.get("") { _, _ in
          let start = time.now
          try await processors.run { try await Task.sleep(for: .milliseconds(100)) }
          latencies.append(start.duration(to: time.now))
          return "tea"
        }
      }, configuration: configuration(connections: 100)
    ) { server in
      await withTaskGroup { clients in
        for _ in 0..<64 {
          clients.addTask { while time.now.offset < .seconds(20) { _ = try? await server.get() } }
        }
      }
      #expect(6...30 ~= limiter.limit, "\(limiter.limit)")
      #expect(latencies.entries.suffix(100).max()! <= .milliseconds(400))
    }
  }

  @Test(.virtualTime(.crowd))
  func `of a crowd of requests, each has an answer`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(8), maximumWaiting: 8)
    try await withServer(
      { router in
        router.add(middleware: LoadSheddingMiddleware(limiter))
        router.get("") { _, _ in
          try await Task.sleep(for: .seconds(1))
          return "tea"
        }
      }, configuration: configuration(connections: 64)
    ) { server in
      let statuses = try await withThrowingTaskGroup(of: UInt.self) { calls in
        for _ in 0..<crowd { calls.addTask { try await server.get().status.code } }
        return try await calls.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(statuses.keys.sorted() == [200, 503])
      #expect(statuses.values.reduce(0, +) == crowd)
      #expect(limiter.running == 0)
      #expect(limiter.waiting == 0)
    }
  }
}

@Suite struct RealTimeLoadSheddingMiddlewareTests {
  @Test func `a request beyond the limit is refused, in real time`() async throws {
    let limiter = try ConcurrencyLimiter(.fixed(1), maximumWaiting: 0)
    let (begun, didBegin) = AsyncStream.makeStream(of: Void.self)
    let (end, mayEnd) = AsyncStream.makeStream(of: Void.self)
    try await withServer { router in
      router.add(middleware: LoadSheddingMiddleware(limiter))
      router.get("") { _, _ in
        didBegin.yield()
        for await _ in end { break }
        return "tea"
      }
    } _: { server in
      async let first = server.get().status
      for await _ in begun { break }
      #expect(try await server.get().status == .serviceUnavailable)
      mayEnd.yield()
      let status = try await first
      #expect(status == .ok)
    }
  }
}

extension HTTPField.Name {
  fileprivate static let priority = Self("Priority")!
}
