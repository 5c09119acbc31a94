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

  @Test func `of 10,000 requests at once, each has an answer`() async throws {
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
        for _ in 0..<10_000 { calls.addTask { try await server.get().status.code } }
        return try await calls.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(statuses.keys.sorted() == [200, 503])
      #expect(statuses.values.reduce(0, +) == 10_000)
      #expect(limiter.running == 0)
      #expect(limiter.waiting == 0)
    }
  }
}

extension HTTPField.Name {
  fileprivate static let priority = Self("Priority")!
}
