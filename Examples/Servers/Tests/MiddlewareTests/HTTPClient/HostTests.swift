import AsyncHTTPClient
import EscapementHTTPClient
import EscapementTesting
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

@Suite(.virtualTime) struct HostTests {
  @Test func `a host that keeps failing is left alone, and others are not`() async throws {
    let time = try VirtualTime.required
    let requests = Log<String>()
    try await withServer(answering: { request in
      requests.append(request.head.authority ?? "")
      return request.head.authority?.hasPrefix("127") == true && time.now.offset < .seconds(10)
        ? Response(.internalServerError) : Response(.ok)
    }) { server in
      var policy = HTTPClientPolicy()
      policy.circuitBreaker = .failures(2, ofLast: 2)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let request = HTTPClientRequest(url: server.address)
      for _ in 1...2 { #expect(try await client.execute(request).text == "500 ") }
      let error = await #expect(throws: CircuitOpenError.self) { try await client.execute(request) }
      #expect(error?.retryAfter == .seconds(30))
      #expect(requests.count == 2)
      let other = HTTPClientRequest(
        url: server.address.replacing("127.0.0.1", with: "localhost"))
      #expect(try await client.execute(other).text == "200 ")
      let localhost = server.address.replacing("127.0.0.1", with: "localhost")
      #expect(client.circuitStates == [server.address: .open, localhost: .closed])
      try await Task.sleep(for: .seconds(30))
      #expect(try await client.execute(request).text == "200 ")
    }
  }

  @Test func `a refusal by a quota is not a fault of the host`() async throws {
    try await withServer(answering: { _ in Response(.tooManyRequests) }) { server in
      var policy = HTTPClientPolicy()
      policy.circuitBreaker = .failures(2, ofLast: 2)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      for _ in 1...5 {
        #expect(try await client.execute(HTTPClientRequest(url: server.address)).text == "429 ")
      }
    }
  }

  @Test(arguments: [(500, 1), (404, 0)])
  func `an answer that counts as a failure ends with an error`(
    status: UInt, failures: Int
  ) async throws {
    let errors = Log<Bool>()
    var policy = HTTPClientPolicy()
    policy.circuitBreaker = .failures(1, ofLast: 1)
    policy.onEvent = { if case .ended(let error) = $1 { errors.append(error != nil) } }
    let client = try ResilientHTTPClient(policy: policy) { _ in
      HTTPClientResponse(status: HTTPResponseStatus(statusCode: Int(status)))
    }
    _ = try await client.execute(HTTPClientRequest(url: "http://shop"))
    #expect(errors.entries == [failures > 0])
  }

  @Test func `a call that the function itself refuses is no fault of the host`() async throws {
    let calls = Log<Void>()
    var policy = HTTPClientPolicy()
    policy.circuitBreaker = .failures(1, ofLast: 1)
    let client = try ResilientHTTPClient(policy: policy) { _ in
      calls.append(())
      throw CallThrottledError()
    }
    await #expect(throws: CallThrottledError.self) {
      try await client.execute(HTTPClientRequest(url: "http://shop"))
    }
    #expect(client.circuitStates == ["http://shop": .closed])
    #expect(calls.count == 1)
  }

  @Test func `a call that the limiter refuses does not count for the breaker`() async throws {
    let time = try VirtualTime.required
    try await withServer(answering: { request in
      if request.uri.path == "/slow" { try await Task.sleep(for: .seconds(30)) }
      return Response(.internalServerError)
    }) { server in
      var policy = HTTPClientPolicy()
      policy.circuitBreaker = .failures(1, ofLast: 1, openFor: .seconds(10))
      policy.concurrencyLimit = .fixed(1)
      policy.maximumWaiting = 0
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let slow = Task {
        try await client.execute(HTTPClientRequest(url: server.address + "/slow")).status
      }
      try await Task.sleep(for: .seconds(1))
      let request = HTTPClientRequest(url: server.address)
      await #expect(throws: ConcurrencyLimitError.self) { try await client.execute(request) }
      #expect(try await slow.value == .internalServerError)
      await #expect(throws: CircuitOpenError.self) { try await client.execute(request) }
      #expect(time.now.offset == .seconds(30))
    }
  }

  @Test func `requests to a host take turns, and those beyond the queue are refused`() async throws
  {
    let time = try VirtualTime.required
    try await withServer(answering: { _ in
      try await Task.sleep(for: .seconds(1))
      return Response(.ok)
    }) { server in
      var policy = HTTPClientPolicy()
      policy.concurrencyLimit = .fixed(2)
      policy.maximumWaiting = 6
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let outcomes = await withTaskGroup(of: String.self) { calls in
        for _ in 0..<10 {
          calls.addTask {
            do {
              return try await client.execute(HTTPClientRequest(url: server.address)).text
            } catch {
              return error is ConcurrencyLimitError ? "refused" : "\(error)"
            }
          }
        }
        return await calls.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(outcomes == ["200 ": 8, "refused": 2])
      #expect(time.now.offset == .seconds(4))
    }
  }
}

@Suite struct PolicyTests {
  @Test func `a policy that is not valid is refused`() {
    func argument(_ change: (inout HTTPClientPolicy) -> Void) -> String? {
      var policy = HTTPClientPolicy()
      change(&policy)
      do {
        _ = try ResilientHTTPClient(policy: policy) { _ in HTTPClientResponse() }
        return nil
      } catch {
        return error.argument
      }
    }
    #expect(argument { _ in } == nil)
    #expect(argument { $0.maximumAttempts = 0 } == "maximumAttempts")
    #expect(argument { $0.longestRetryAfter = .seconds(-1) } == "longestRetryAfter")
    #expect(argument { $0.backoff = .constant(.seconds(-1)) } == "delay")
    #expect(argument { $0.timeout = .seconds(-1) } == "timeout")
    #expect(argument { $0.attemptTimeout = .zero } == "attemptTimeout")
    #expect(argument { $0.hedgingDelay = .seconds(-1) } == "hedgingDelay")
    #expect(argument { $0.circuitBreaker = .failures(0, ofLast: 5) } == "failures")
    #expect(argument { $0.concurrencyLimit = .fixed(0) } == "limit")
  }
}
