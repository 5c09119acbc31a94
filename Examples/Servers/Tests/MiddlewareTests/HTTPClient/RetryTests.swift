import AsyncHTTPClient
import EscapementHTTPClient
import EscapementTesting
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

/// Delays of 1, 2 and 4 seconds.
private var policy: HTTPClientPolicy {
  var policy = HTTPClientPolicy()
  policy.backoff = .exponential(base: .seconds(1), cap: .seconds(20))
  return policy
}

@Suite(.virtualTime) struct RetryTests {
  @Test func `a refused request is sent again after the delay of the server`() async throws {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    try await withServer(answering: { _ in
      switch requests.append(time.now.offset) {
      case 1: Response(.serviceUnavailable, headers: [.retryAfter: "5"])
      case 2: Response(.tooManyRequests)
      default: Response(.ok, "tea")
      }
    }) { server in
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let response = try await client.execute(HTTPClientRequest(url: server.address))
      #expect(try await response.text == "200 tea")
      // The delays of the backoff go on meanwhile.
      #expect(requests.entries == [.zero, .seconds(5), .seconds(7)])
    }
  }

  @Test func `a date sets the delay, which is capped`() async throws {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    let start = WallClock().now
    let date = httpDate(start.advanced(by: .seconds(3)))
    let farAway = httpDate(start.advanced(by: .seconds(3_600)))
    try await withServer(answering: { _ in
      switch requests.append(time.now.offset) {
      case 1: Response(.serviceUnavailable, headers: [.retryAfter: date])
      case 2: Response(.serviceUnavailable, headers: [.retryAfter: farAway])
      default: Response(.ok)
      }
    }) { server in
      var policy = policy
      policy.longestRetryAfter = .seconds(10)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      _ = try await client.execute(HTTPClientRequest(url: server.address))
      let whole = date == httpDate(start) ? Duration.zero : .seconds(3)
      #expect(requests.entries == [.zero, whole, whole + .seconds(10)])
    }
  }

  @Test func `the last answer is returned with its body`() async throws {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    try await withServer(answering: { _ in
      let number = requests.append(time.now.offset)
      return Response(.serviceUnavailable, "busy \(number)")
    }) { server in
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let response = try await client.execute(HTTPClientRequest(url: server.address))
      #expect(try await response.text == "503 busy 3")
      #expect(requests.entries == [.zero, .seconds(1), .seconds(3)])
    }
  }

  @Test func `a status that is not refused ends the call`() async throws {
    let requests = Log<String>()
    try await withServer(answering: { request in
      requests.append(request.uri.path)
      return Response(.internalServerError, "bug")
    }) { server in
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let response = try await client.execute(HTTPClientRequest(url: server.address))
      #expect(try await response.text == "500 bug")
      #expect(requests.count == 1)
    }
  }

  @Test(arguments: [HTTPMethod.POST, .PATCH])
  func `a request that is not idempotent is sent once`(method: HTTPMethod) async throws {
    let requests = Log<String>()
    try await withServer(answering: { request in
      requests.append(request.method.rawValue)
      return Response(.serviceUnavailable)
    }) { server in
      let client = try ResilientHTTPClient(server.client, policy: policy)
      var request = HTTPClientRequest(url: server.address)
      request.method = method
      request.body = .bytes(ByteBuffer(string: "tea"))
      #expect(try await client.execute(request).text == "503 ")
      #expect(requests.count == 1)
      // The caller says that it may be sent again.
      #expect(try await client.execute(request, isIdempotent: true).text == "503 ")
      #expect(requests.count == 4)
      // The server notices repetitions.
      request.headers.add(name: "Idempotency-Key", value: "1")
      #expect(try await client.execute(request).text == "503 ")
      #expect(requests.count == 7)
    }
  }

  @Test func `a body in memory is sent again, and a stream is not`() async throws {
    let bodies = Log<String>()
    try await withServer(answering: { request in
      bodies.append(String(buffer: try await request.body.collect(upTo: 100)))
      return Response(.serviceUnavailable)
    }) { server in
      let client = try ResilientHTTPClient(server.client, policy: policy)
      var request = HTTPClientRequest(url: server.address)
      request.method = .PUT
      request.body = .bytes(ByteBuffer(string: "tea"))
      #expect(try await client.execute(request).text == "503 ")
      #expect(bodies.entries == ["tea", "tea", "tea"])
      request.body = .bytes(Array("coffee".utf8))
      #expect(try await client.execute(request).text == "503 ")
      #expect(bodies.entries.count == 6)
      let stream = AsyncStream {
        $0.yield(ByteBuffer(string: "milk"))
        $0.finish()
      }
      request.body = .stream(stream, length: .unknown)
      #expect(try await client.execute(request).text == "503 ")
      #expect(bodies.entries.dropFirst(6) == ["milk"])
    }
  }

  @Test func `a cancelled call sends nothing more`() async throws {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    try await withServer(answering: { _ in
      requests.append(time.now.offset)
      return Response(.serviceUnavailable, headers: [.retryAfter: "20"])
    }) { server in
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let call = Task { try await client.execute(HTTPClientRequest(url: server.address)) }
      try await Task.sleep(for: .seconds(7))
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      #expect(time.now.offset == .seconds(7))
      try await Task.sleep(for: .seconds(60))
      #expect(requests.entries == [.zero])
    }
  }

  @Test func `a call that is cancelled before its turn sends nothing`() async throws {
    let time = try VirtualTime.required
    let requests = Log<String>()
    try await withServer(answering: { request in
      requests.append(request.uri.path)
      try await Task.sleep(for: .seconds(10))
      return Response(.ok)
    }) { server in
      var policy = policy
      policy.concurrencyLimit = .fixed(1)
      policy.circuitBreaker = .failures(1, ofLast: 1)
      policy.hedgingDelay = .seconds(30)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      func call(_ path: String) -> Task<String, any Error> {
        Task {
          try await client.execute(HTTPClientRequest(url: server.address + path)).text
        }
      }
      let early = call("/early")
      early.cancel()
      await #expect(throws: CancellationError.self) { try await early.value }
      let (first, waiting) = (call("/first"), call("/waiting"))
      try await Task.sleep(for: .seconds(1))
      waiting.cancel()
      await #expect(throws: CancellationError.self) { try await waiting.value }
      #expect(try await first.value == "200 ")
      #expect(try await call("/last").value == "200 ")
      #expect(time.now.offset == .seconds(20))
      #expect(requests.entries == ["/first", "/last"])
      #expect(client.circuitStates == [server.address: .closed])
    }
  }

  @Test func `a redirected request is not sent again when the second host is away`() async throws {
    let requests = Log<String>()
    // The client would connect again and again by itself.
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.retryConnectionEstablishment = false
    try await withServer(
      configuration: configuration,
      answering: { request in
        requests.append(request.method.rawValue)
        return Response(.seeOther, headers: [.location: "http://127.0.0.1:1/"])
      }
    ) { server in
      let client = try ResilientHTTPClient(server.client, policy: policy)
      var request = HTTPClientRequest(url: server.address)
      request.method = .POST
      await #expect(throws: (any Error).self) { try await client.execute(request) }
      #expect(requests.entries == ["POST"])
      request.method = .GET
      await #expect(throws: (any Error).self) { try await client.execute(request) }
      #expect(requests.entries == ["POST", "GET", "GET", "GET"])
    }
  }

  @Test(arguments: [HTTPResponse.Status.temporaryRedirect, .permanentRedirect])
  func `a redirect takes a body in memory along, also when it is sent again`(
    status: HTTPResponse.Status
  ) async throws {
    let requests = Log<String>()
    try await withServer(answering: { request in
      let body = String(buffer: try await request.body.collect(upTo: 100))
      let count = requests.append("\(request.method) \(request.uri.path) \(body)")
      guard request.uri.path == "/new" else {
        return Response(status, headers: [.location: "/new"])
      }
      return count < 3 ? Response(.serviceUnavailable) : Response(.ok, body)
    }) { server in
      let client = try ResilientHTTPClient(server.client, policy: policy)
      var request = HTTPClientRequest(url: server.address + "/old")
      request.method = .PUT
      request.body = .bytes(ByteBuffer(string: "tea"))
      #expect(try await client.execute(request).text == "200 tea")
      #expect(
        requests.entries == ["PUT /old tea", "PUT /new tea", "PUT /old tea", "PUT /new tea"])
    }
  }

  @Test(arguments: [HTTPResponse.Status.temporaryRedirect, .permanentRedirect])
  func `a redirect of a stream is returned, because it cannot be sent again`(
    status: HTTPResponse.Status
  ) async throws {
    let requests = Log<String>()
    try await withServer(answering: { request in
      let body = String(buffer: try await request.body.collect(upTo: 100))
      requests.append("\(request.uri.path) \(body)")
      return Response(status, headers: [.location: "/new"])
    }) { server in
      let client = try ResilientHTTPClient(server.client, policy: policy)
      var request = HTTPClientRequest(url: server.address + "/old")
      request.method = .PUT
      let stream = AsyncStream {
        $0.yield(ByteBuffer(string: "milk"))
        $0.finish()
      }
      request.body = .stream(stream, length: .unknown)
      #expect(try await client.execute(request).status.code == UInt(status.code))
      #expect(requests.entries == ["/old milk"])
    }
  }

  @Test func `a request that was not sent is sent again, whatever its method`() async throws {
    let time = try VirtualTime.required
    let failures = Log<Duration>()
    var configuration = HTTPClient.Configuration(redirectConfiguration: .disallow)
    configuration.connectionPool.retryConnectionEstablishment = false
    try await withServer(configuration: configuration, answering: { _ in Response(.ok) }) {
      server in
      var policy = policy
      policy.onAttempt = { if $0.error != nil { failures.append(time.now.offset) } }
      let client = try ResilientHTTPClient(
        server.client, policy: policy, followsRedirects: false)
      var request = HTTPClientRequest(url: "http://127.0.0.1:1/")
      request.method = .POST
      await #expect(throws: (any Error).self) { try await client.execute(request) }
      #expect(failures.entries == [.zero, .seconds(1), .seconds(3)])
    }
  }

  @Test func `the budget bounds the further attempts of all calls`() async throws {
    let requests = Log<String>()
    try await withServer(answering: { request in
      requests.append(request.uri.path)
      return Response(.serviceUnavailable)
    }) { server in
      let budget = try RetryBudget(percent: 0, reserve: 3)
      let client = try ResilientHTTPClient(server.client, policy: policy, budget: budget)
      for _ in 1...10 {
        #expect(try await client.execute(HTTPClientRequest(url: server.address)).text == "503 ")
      }
      #expect(requests.count == 13)
    }
  }
}

/// The date of an instant, as RFC 9110 prescribes it.
private func httpDate(_ instant: WallClock.Instant) -> String {
  let text = instant.description
  let (date, time) = (text.prefix(10), text.dropFirst(11).prefix(8))
  let parts = date.split(separator: "-")
  let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  return "Mon, \(parts[2]) \(months[Int(parts[1])! - 1]) \(parts[0]) \(time) GMT"
}
