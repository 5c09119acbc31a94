import AsyncHTTPClient
import EscapementTesting
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

@testable import EscapementHummingbird

/// The page takes the seconds of its name.
private func addDeadline(to router: Router<BasicRequestContext>) throws {
  router.add(middleware: try DeadlineMiddleware(default: .seconds(5), atMost: .seconds(10)))
  router.get(":seconds") { _, context in
    let seconds = try context.parameters.require("seconds", as: Double.self)
    if seconds == 0 {
      // The deadline of the handler is its own affair.
      try await withDeadline(in: .seconds(1)) { try await Task.sleep(for: .seconds(60)) }
    }
    try await Task.sleep(for: .seconds(seconds))
    return "tea"
  }
}

@Suite(.virtualTime) struct DeadlineMiddlewareTests {
  @Test(
    arguments: [
      ("4.999", nil, 200, 4_999), ("60", nil, 504, 5_000), ("60", "2000", 504, 2_000),
      ("1", "2000", 200, 1_000), ("60", "3600000", 504, 10_000), ("0", nil, 500, 1_000),
      ("1", "soon", 400, 0), ("1", "0", 400, 0), ("1", "-5", 400, 0),
    ] as [(String, String?, UInt, Int)])
  func `a request has the time for which its client waits`(
    path: String, field: String?, status: UInt, milliseconds: Int
  ) async throws {
    let time = try VirtualTime.required
    try await withServer(addDeadline) { server in
      var request = HTTPClientRequest(url: "\(server.address)/\(path)")
      if let field {
        request.headers.add(name: "X-Envoy-Expected-Rq-Timeout-Ms", value: field)
      }
      let response = try await server.client.execute(request, timeout: .hours(1))
      #expect(response.status.code == status)
      _ = try await response.body.collect(upTo: 1_000)
      #expect(time.now.offset == .milliseconds(milliseconds))
    }
  }

  @Test(.virtualTime(.crowd))
  func `of a crowd of requests, those that are too slow are told so`() async throws {
    let time = try VirtualTime.required
    var configuration = HTTPClient.Configuration()
    configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = crowd / 50
    configuration.timeout.connect = .hours(1)
    try await withServer(addDeadline, configuration: configuration) { server in
      let statuses = try await withThrowingTaskGroup(of: UInt.self) { calls in
        for number in 0..<crowd {
          calls.addTask {
            let request = HTTPClientRequest(
              url: "\(server.address)/\(number.isMultiple(of: 4) ? "60" : "1")")
            let response = try await server.client.execute(request, timeout: .hours(10))
            _ = try await response.body.collect(upTo: 1_000)
            return response.status.code
          }
        }
        return try await calls.reduce(into: [:]) { $0[$1, default: 0] += 1 }
      }
      #expect(statuses == [200: crowd * 3 / 4, 504: crowd / 4])
      // Three quarters take a second and the others five, fifty on each connection.
      #expect(.seconds(100) ... .seconds(105) ~= time.now.offset)
    }
  }
}

@Suite struct RealTimeDeadlineMiddlewareTests {
  @Test func `a handler is cancelled at its deadline, in real time`() async throws {
    try await withServer(addDeadline) { server in
      var request = HTTPClientRequest(url: "\(server.address)/3600")
      request.headers.add(name: "X-Envoy-Expected-Rq-Timeout-Ms", value: "10")
      let response = try await server.client.execute(request, timeout: .minutes(1))
      #expect(response.status == .gatewayTimeout)
      _ = try await response.body.collect(upTo: 1_000)
    }
  }
}

@Suite struct DeadlineMiddlewareRefusalTests {
  @Test func `a field is read as milliseconds, and capped`() throws {
    let middleware = try DeadlineMiddleware<BasicRequestContext>(
      default: .seconds(5), atMost: .seconds(10))
    for (value, time) in [
      (nil, .seconds(5)), ("1", .milliseconds(1)), ("10000", .seconds(10)), ("10001", .seconds(10)),
      ("99999999999999999999", .seconds(10)), ("", nil), ("0", nil), ("00", nil), ("1.5", nil),
      ("+1", nil),
    ] as [(String?, Duration?)] {
      #expect(middleware.time(for: value) == time)
    }
  }

  @Test func `a time that is not valid is refused`() {
    for usual in [Duration.zero, .seconds(-1), .seconds(61)] {
      let error = #expect(throws: InvalidArgumentError.self) {
        try DeadlineMiddleware<BasicRequestContext>(default: usual)
      }
      #expect(error?.argument == "default")
    }
    for longest in [Duration.zero, .seconds(-1)] {
      let error = #expect(throws: InvalidArgumentError.self) {
        try DeadlineMiddleware<BasicRequestContext>(atMost: longest)
      }
      #expect(error?.description == "'atMost' is \(longest), but must be positive.")
    }
  }
}
