import AsyncHTTPClient
import EscapementHTTPClient
import EscapementTesting
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Synchronization
import Testing

/// A client with one connection: a call waits for ever for an answer that was not given back.
private var oneConnection: HTTPClient.Configuration {
  var configuration = HTTPClient.Configuration()
  configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 1
  return configuration
}

/// A body that has no end.
private func endless(_ status: HTTPResponse.Status) -> Response {
  Response(
    status: status,
    body: ResponseBody { writer in
      while true {
        try await writer.write(ByteBuffer(repeating: 0, count: 1 << 16))
        try await Task.sleep(for: .seconds(1))
      }
    })
}

/// A body that breaks off.
private func broken() -> Response {
  Response(
    status: .ok, headers: [.contentLength: "100"],
    body: ResponseBody { writer in
      try await writer.write(ByteBuffer(string: "half"))
      throw CancellationError()
    })
}

@Suite(.virtualTime) struct BodyTests {
  @Test func `an answer that is dropped gives its connection back`() async throws {
    let requests = Log<String>()
    try await withServer(
      configuration: oneConnection,
      answering: { request in
        requests.append(request.uri.path).isMultiple(of: 3)
          ? Response(.ok, "tea") : endless(.serviceUnavailable)
      }
    ) { server in
      let client = try ResilientHTTPClient(server.client)
      for _ in 1...20 {
        let request = HTTPClientRequest(url: server.address)
        #expect(try await client.execute(request).text == "200 tea")
      }
      #expect(requests.count == 60)
    }
  }

  @Test func `the request that loses the race gives its connection back`() async throws {
    let time = try VirtualTime.required
    let requests = Log<String>()
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = 2
    try await withServer(
      configuration: configuration,
      answering: { request in
        if !requests.append(request.uri.path).isMultiple(of: 2) {
          try await Task.sleep(for: .seconds(1_000))
        }
        return Response(.ok)
      }
    ) { server in
      var policy = HTTPClientPolicy()
      policy.hedgingDelay = .seconds(1)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      for _ in 1...20 {
        _ = try await client.execute(HTTPClientRequest(url: server.address)).text
      }
      #expect(time.now.offset == .seconds(20))
    }
  }

  @Test func `a stream that breaks off is not read twice, and a collected body is`() async throws {
    let requests = Log<String>()
    try await withServer(answering: { request in
      requests.append(request.uri.path).isMultiple(of: 2) ? Response(.ok, "tea") : broken()
    }) { server in
      let client = try ResilientHTTPClient(server.client)
      let request = HTTPClientRequest(url: server.address)
      let response = try await client.execute(request)
      await #expect(throws: (any Error).self) { try await response.text }
      #expect(requests.count == 1)
      requests.append("")
      #expect(try await client.execute(request, collectingUpTo: 100).text == "200 tea")
      #expect(requests.count == 4)
    }
  }

  @Test(arguments: [true, false])
  func `a call that is cancelled during the body gives its connection back`(
    isCollected: Bool
  ) async throws {
    let requests = Log<String>()
    try await withServer(
      configuration: oneConnection,
      answering: { request in
        requests.append(request.uri.path)
        return request.uri.path == "/endless" ? endless(.ok) : Response(.ok, "tea")
      }
    ) { server in
      let client = try ResilientHTTPClient(server.client)
      for _ in 1...10 {
        let call = Task {
          let request = HTTPClientRequest(url: server.address + "/endless")
          if isCollected {
            _ = try await client.execute(request, collectingUpTo: 1 << 30)
          } else {
            for try await _ in try await client.execute(request).body {}
          }
        }
        try await Task.sleep(for: .seconds(5))
        call.cancel()
        await #expect(throws: CancellationError.self) { try await call.value }
        let request = HTTPClientRequest(url: server.address)
        #expect(try await client.execute(request).text == "200 tea")
      }
      #expect(requests.count == 20)
    }
  }

  @Test func `an answer that is read halfway gives its connection back`() async throws {
    let requests = Log<String>()
    try await withServer(
      configuration: oneConnection,
      answering: { request in
        requests.append(request.uri.path)
        return endless(.ok)
      }
    ) { server in
      var policy = HTTPClientPolicy()
      policy.concurrencyLimit = .fixed(1)
      policy.circuitBreaker = .failures(1, ofLast: 1)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      for _ in 1...20 {
        let response = try await client.execute(HTTPClientRequest(url: server.address))
        for try await _ in response.body { break }
      }
      #expect(requests.count == 20)
      #expect(client.circuitStates == [server.address: .closed])
    }
  }

  @Test func `a body that is too long is not asked for again`() async throws {
    let requests = Log<String>()
    try await withServer(answering: { request in
      requests.append(request.uri.path)
      return Response(.ok, "coffee")
    }) { server in
      let client = try ResilientHTTPClient(server.client)
      let request = HTTPClientRequest(url: server.address)
      await #expect(throws: NIOTooManyBytesError.self) {
        try await client.execute(request, collectingUpTo: 5)
      }
      #expect(requests.count == 1)
      #expect(try await client.execute(request, collectingUpTo: 6).text == "200 coffee")
    }
  }

  @Test func `the timeout includes a body that is collected`() async throws {
    let time = try VirtualTime.required
    try await withServer(answering: { _ in endless(.ok) }) { server in
      var policy = HTTPClientPolicy()
      policy.timeout = .seconds(5)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      await #expect(throws: DeadlineExpiredError.self) {
        try await client.execute(
          HTTPClientRequest(url: server.address), collectingUpTo: 1 << 30)
      }
      #expect(time.now.offset == .seconds(5))
    }
  }

  @Test(.virtualTime(.crowd))
  func `of a crowd of requests, each has its answer`() async throws {
    let requests = Log<String>()
    let refused = Mutex<Set<String>>([])
    try await withServer(answering: { request in
      let path = request.uri.path
      requests.append(path)
      guard request.method == .get else { return Response(.serviceUnavailable) }
      // The first GET for a number with the last digit 7 is refused.
      return path.hasSuffix("7") && refused.withLock { $0.insert(path).inserted }
        ? Response(.serviceUnavailable, headers: [.retryAfter: "1"]) : Response(.ok, path)
    }) { server in
      var policy = HTTPClientPolicy()
      policy.concurrencyLimit = .fixed(64)
      policy.timeout = nil
      let client = try ResilientHTTPClient(
        server.client, policy: policy, budget: RetryBudget(percent: 100, reserve: crowd))
      let answers = try await withThrowingTaskGroup(of: (Int, String).self) { calls in
        for number in 0..<crowd {
          calls.addTask {
            var request = HTTPClientRequest(url: "\(server.address)/\(number)")
            request.method = number.isMultiple(of: 2) ? .POST : .GET
            return (number, try await client.execute(request, collectingUpTo: 100).text)
          }
        }
        return try await calls.reduce(into: [:]) { $0[$1.0] = $1.1 }
      }
      let wrong = (0..<crowd).filter {
        answers[$0] != ($0.isMultiple(of: 2) ? "503 " : "200 /\($0)")
      }
      #expect(wrong == [])
      // No POST is sent again, and of the GETs those with the last digit 7.
      #expect(requests.count == crowd + crowd / 10)
    }
  }
}
