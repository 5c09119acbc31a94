import AsyncHTTPClient
import EscapementHTTPClient
import EscapementTesting
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

@Suite(.virtualTime) struct DeadlineAndHedgingTests {
  @Test func `the timeout bounds all attempts`() async throws {
    let time = try VirtualTime.required
    try await withServer(answering: { _ in
      try await Task.sleep(for: .seconds(60))
      return Response(.ok)
    }) { server in
      var policy = HTTPClientPolicy()
      policy.timeout = .seconds(5)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let error = await #expect(throws: DeadlineExpiredError.self) {
        try await client.execute(HTTPClientRequest(url: server.address))
      }
      #expect(error?.callSite.contains("DeadlineAndHedgingTests.swift") == true)
      #expect(time.now.offset == .seconds(5))
    }
  }

  @Test func `an attempt that takes too long is followed by another one`() async throws {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    try await withServer(answering: { _ in
      if requests.append(time.now.offset) < 3 { try await Task.sleep(for: .seconds(60)) }
      return Response(.ok, "tea")
    }) { server in
      var policy = HTTPClientPolicy()
      policy.attemptTimeout = .seconds(2)
      policy.backoff = .constant(.seconds(1))
      let client = try ResilientHTTPClient(server.client, policy: policy)
      #expect(
        try await client.execute(HTTPClientRequest(url: server.address)).text == "200 tea")
      #expect(requests.entries == [.zero, .seconds(3), .seconds(6)])
    }
  }

  @Test func `the answer of a refused attempt is returned if the timeout allows no other`()
    async throws
  {
    let time = try VirtualTime.required
    try await withServer(answering: { _ in
      Response(.serviceUnavailable, "busy", headers: [.retryAfter: "30"])
    }) { server in
      var policy = HTTPClientPolicy()
      policy.timeout = .seconds(5)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      #expect(
        try await client.execute(HTTPClientRequest(url: server.address)).text == "503 busy")
      #expect(time.now.offset == .zero)
    }
  }

  @Test func `a slow request is sent a second time, unless it is not idempotent`() async throws {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    try await withServer(answering: { _ in
      let number = requests.append(time.now.offset)
      if number != 2 { try await Task.sleep(for: .seconds(10)) }
      return Response(.ok, "\(number)")
    }) { server in
      var policy = HTTPClientPolicy()
      policy.hedgingDelay = .seconds(1)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      var request = HTTPClientRequest(url: server.address)
      #expect(try await client.execute(request).text == "200 2")
      #expect(requests.entries == [.zero, .seconds(1)])
      #expect(time.now.offset == .seconds(1))
      request.method = .POST
      #expect(try await client.execute(request).text == "200 3")
      #expect(time.now.offset == .seconds(11))
    }
  }

  @Test func `without a budget, a slow request goes on alone`() async throws {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    let hedges = Log<String>()
    try await withServer(answering: { _ in
      requests.append(time.now.offset)
      try await Task.sleep(for: .seconds(10))
      return Response(.ok)
    }) { server in
      var policy = HTTPClientPolicy()
      policy.hedgingDelay = .seconds(1)
      policy.onEvent = { host, event in hedges.append("\(host): \(event)") }
      let budget = try RetryBudget(percent: 0, reserve: 1)
      let client = try ResilientHTTPClient(server.client, policy: policy, budget: budget)
      _ = try await client.execute(HTTPClientRequest(url: server.address)).text
      #expect(requests.count == 2)
      _ = try await client.execute(HTTPClientRequest(url: server.address)).text
      #expect(requests.count == 3)
      #expect(time.now.offset == .seconds(20))
      #expect(hedges.entries == ["\(server.address): hedged(attempt: 2)"])
    }
  }

  @Test func `a cancelled race sends nothing more`() async throws {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    try await withServer(answering: { _ in
      requests.append(time.now.offset)
      try await Task.sleep(for: .seconds(60))
      return Response(.ok)
    }) { server in
      var policy = HTTPClientPolicy()
      policy.hedgingDelay = .seconds(2)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let call = Task { try await client.execute(HTTPClientRequest(url: server.address)) }
      try await Task.sleep(for: .seconds(1))
      call.cancel()
      await #expect(throws: CancellationError.self) { try await call.value }
      #expect(time.now.offset == .seconds(1))
      try await Task.sleep(for: .seconds(60))
      #expect(requests.entries == [.zero])
    }
  }

  @Test func `a refusal ends the race, and the delay follows`() async throws {
    let time = try VirtualTime.required
    let requests = Log<Duration>()
    try await withServer(answering: { _ in
      requests.append(time.now.offset) == 1
        ? Response(.serviceUnavailable, headers: [.retryAfter: "5"]) : Response(.ok)
    }) { server in
      var policy = HTTPClientPolicy()
      policy.hedgingDelay = .seconds(1)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      _ = try await client.execute(HTTPClientRequest(url: server.address)).text
      #expect(requests.entries == [.zero, .seconds(5)])
    }
  }
}
