import AsyncHTTPClient
import EscapementHummingbird
import EscapementTesting
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

/// Two requests in ten seconds for each account.
private func addQuota(to router: Router<BasicRequestContext>) throws {
  router.add(
    middleware: try QuotaMiddleware(.slidingWindow(limit: 2, per: .seconds(10))) { request, _ in
      request.headers[.authorization]
    })
  router.get("tea") { _, _ in "tea" }
  router.get("bug") { _, _ -> String in throw HTTPError(.conflict, message: "bug") }
}

extension Connection {
  /// Asks for a page in the name of an account.
  fileprivate func get(_ path: String, as account: String?) async throws -> HTTPClientResponse {
    var request = HTTPClientRequest(url: "\(address)/\(path)")
    if let account { request.headers.add(name: "Authorization", value: account) }
    let response = try await client.execute(request, timeout: .hours(1))
    _ = try await response.body.collect(upTo: 1_000)
    return response
  }
}

@Suite(.virtualTime) struct QuotaMiddlewareTests {
  @Test func `a client that asks too often is told when to come again`() async throws {
    try await withServer(addQuota) { server in
      for remaining in [1, 0] {
        let response = try await server.get("tea", as: "ann")
        #expect(response.status == .ok)
        #expect(response.headers["RateLimit-Policy"] == [#""default";q=2;w=10"#])
        #expect(response.headers["RateLimit"] == [#""default";r=\#(remaining)"#])
        #expect(response.headers["Retry-After"] == [])
      }
      try await Task.sleep(for: .seconds(2.5))
      let refusal = try await server.get("tea", as: "ann")
      #expect(refusal.status == .tooManyRequests)
      #expect(refusal.headers["RateLimit-Policy"] == [#""default";q=2;w=10"#])
      #expect(refusal.headers["RateLimit"] == [#""default";r=0;t=8"#])
      #expect(refusal.headers["Retry-After"] == ["8"])
      #expect(try await server.get("tea", as: "bob").status == .ok)
      // One nanosecond before the end of the window, and at it.
      try await Task.sleep(for: .seconds(7.5) - .nanoseconds(1))
      #expect(try await server.get("tea", as: "ann").status == .tooManyRequests)
      try await Task.sleep(for: .nanoseconds(1))
      #expect(try await server.get("tea", as: "ann").status == .ok)
    }
  }

  @Test func `the answer to an error has the fields, too`() async throws {
    try await withServer(addQuota) { server in
      let response = try await server.get("bug", as: "ann")
      #expect(response.status == .conflict)
      #expect(response.headers["RateLimit"] == [#""default";r=1"#])
    }
  }

  @Test func `a request without a key takes no permit`() async throws {
    try await withServer(addQuota) { server in
      for _ in 1...5 {
        let response = try await server.get("tea", as: nil)
        #expect(response.status == .ok)
        #expect(response.headers["RateLimit"] == [])
      }
    }
  }

  @Test(.virtualTime(.crowd))
  func `of a crowd of requests, as many are answered as the quota has`() async throws {
    try await withServer(
      { router in
        router.add(
          middleware: try QuotaMiddleware(.slidingWindow(limit: 100, per: .seconds(60))) {
            request, _ in request.headers[.authorization]
          })
        router.get("tea") { _, _ in "tea" }
      }
    ) { server in
      let statuses = try await withThrowingTaskGroup(of: UInt.self) { calls in
        for number in 0..<crowd {
          calls.addTask { try await server.get("tea", as: "\(number % 2)").status.code }
        }
        return try await calls.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(statuses == [200: 200, 429: crowd - 200])
    }
  }
}

@Suite struct RealTimeQuotaMiddlewareTests {
  @Test func `a client that asks too often is refused, in real time`() async throws {
    try await withServer(addQuota) { server in
      var statuses: [UInt] = []
      for _ in 1...3 { statuses.append(try await server.get("tea", as: "ann").status.code) }
      #expect(statuses == [200, 200, 429])
    }
  }
}
