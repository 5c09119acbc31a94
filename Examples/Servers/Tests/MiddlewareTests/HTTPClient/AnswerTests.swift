import AsyncHTTPClient
import Escapement
import EscapementHTTPClient
import EscapementTesting
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

/// Servers that break off in the middle of an answer, and calls that wait for their turn.
@Suite(.virtualTime) struct AnswerTests {
  private var policy: HTTPClientPolicy {
    var policy = HTTPClientPolicy()
    policy.backoff = .constant(.seconds(1))
    return policy
  }

  /// A refusal with four of its hundred bytes.
  private func refusal(
    then rest: @escaping @Sendable () async throws -> Void
  ) -> Response {
    Response(
      status: .serviceUnavailable, headers: [.contentLength: "100"],
      body: ResponseBody { writer in
        try await writer.write(ByteBuffer(string: "half"))
        try await rest()
      })
  }

  @Test(arguments: [true, false])
  func `a refusal is heard if its body stalls or breaks off`(stalls: Bool) async throws {
    let time = try VirtualTime.required
    let count = Log<Void>()
    try await withServer(answering: { _ in
      guard count.append(()) < 3 else { return Response(.ok, "tea") }
      return refusal {
        if stalls { try await Task.sleep(for: .seconds(100_000)) }
        throw CancellationError()
      }
    }) { server in
      var policy = policy
      policy.timeout = nil
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let answer = try await client.execute(HTTPClientRequest(url: server.address))
      #expect(try await answer.text == "200 tea")
      // Two delays of a second, and up to a second for each body.
      #expect(time.now.offset == .seconds(stalls ? 4 : 2))
    }
  }

  @Test func `the last refusal is returned if its body breaks off`() async throws {
    try await withServer(answering: { _ in refusal { throw CancellationError() } }) { server in
      let client = try ResilientHTTPClient(server.client, policy: policy)
      let answer = try await client.execute(HTTPClientRequest(url: server.address))
      #expect(try await answer.text == "503 ")
    }
  }

  @Test func `a failure with a long body is one, with a limit for bodies`() async throws {
    let count = Log<Void>()
    try await withServer(answering: { _ in
      count.append(())
      return Response(.internalServerError, String(repeating: "x", count: 2_000))
    }) { server in
      var policy = policy
      policy.circuitBreaker = .failures(3, ofLast: 3)
      let client = try ResilientHTTPClient(server.client, policy: policy)
      for _ in 1...10 {
        _ = try? await client.execute(
          HTTPClientRequest(url: server.address), collectingUpTo: 1_000)
      }
      #expect(count.count == 3)
    }
  }

  @Test func `a second attempt goes on when the first one fails`() async throws {
    let count = Log<Void>()
    var policy = policy
    policy.maximumAttempts = 1
    policy.hedgingDelay = .seconds(1)
    let client = try ResilientHTTPClient(policy: policy) { _ in
      let isFirst = count.append(()) == 1
      try await Task.sleep(for: .seconds(2))
      if isFirst { throw HTTPClientError.remoteConnectionClosed }
      return HTTPClientResponse(status: .ok)
    }
    let answer = try await client.execute(HTTPClientRequest(url: "http://shop"))
    #expect(answer.status == .ok)
  }

  @Test(arguments: [Duration.seconds(1), .seconds(100)])
  func `waiting for a turn does not tell of the host`(patience: Duration) async throws {
    var policy = policy
    policy.timeout = nil
    policy.concurrencyLimit = .fixed(1)
    policy.circuitBreaker = .failures(3, ofLast: 3, slowerThan: .seconds(3))
    let client = try ResilientHTTPClient(policy: policy) { _ in
      try await Task.sleep(for: .seconds(2))
      return HTTPClientResponse(status: .ok)
    }
    let request = HTTPClientRequest(url: "http://shop")
    let first = Task { try await client.execute(request) }
    await VirtualTime.current?.settle()
    await withTaskGroup(of: Void.self) { group in
      for _ in 1...7 {
        group.addTask {
          _ = try? await withDeadline(in: patience) { try await client.execute(request) }
        }
      }
    }
    #expect(try await first.value.status == .ok)
    await #expect(throws: Never.self) { try await client.execute(request) }
  }

  @Test func `events do not hold answers, and a negative limit for bodies is refused`() async throws
  {
    let events = Log<String>()
    var policy = policy
    policy.concurrencyLimit = .fixed(1)
    policy.maximumAttempts = 1
    policy.onEvent = { if case .ended(let error?) = $1 { events.append("\($0): \(error)") } }
    let client = try ResilientHTTPClient(policy: policy) { _ in
      HTTPClientResponse(status: .serviceUnavailable, headers: ["Set-Cookie": "secret"])
    }
    _ = try await client.execute(HTTPClientRequest(url: "http://shop:80"))
    #expect(events.entries == ["http://shop: The server has answered with the status 503."])
    await #expect(throws: InvalidArgumentError.self) {
      try await client.execute(HTTPClientRequest(url: "http://shop"), collectingUpTo: -1)
    }
  }
}
