import EscapementTesting
import Foundation
import TestSupport
import Testing

@testable import EscapementDoubles
@testable import EscapementMockHTTP

extension MockHTTP {
  /// Sends a request to the stubs without a session.
  func ask(
    _ path: String, _ method: HTTPStub.Method = .get, headers: HTTPStub.Headers = [:],
    body: String = ""
  ) async throws -> HTTPStub.Response {
    let url = URL(string: "https://example.com\(path)")!
    let request = HTTPStub.Request(method, url, headers: headers, body: Data(body.utf8))
    return try await stubs.response(to: stubs.receive(request))
  }

  func text(_ path: String, _ method: HTTPStub.Method = .get, body: String = "") async throws
    -> String?
  {
    String(data: try await ask(path, method, body: body).body, encoding: .utf8)
  }
}

/// Covers `HTTPStubTable` and `HTTPStubbing` as well.
@Suite struct HTTPStubTests {
  private let http = MockHTTP(requiresCalls: false)

  @Test func `a stub answers again and again`() async throws {
    let stub = http.stub(.get, "/users/:id") { .text("user \($0["id"] ?? "")") }
    for id in ["1", "2", "1"] { #expect(try await http.text("/users/\(id)") == "user \(id)") }
    #expect(stub.callCount == 3)
    #expect(stub.requests.map { $0.parameters["id"] } == ["1", "2", "1"])
    #expect(http.requests.map(\.path) == ["/users/1", "/users/2", "/users/1"])
  }

  @Test func `answers come one after the other`() async throws {
    http.stub(.get, "/news", returns: .text("a")).times(2).then(.text("b"))
      .then { .text("c \($0.method)") }
    var texts: [String?] = []
    for _ in 0..<5 { texts.append(try await http.text("/news")) }
    #expect(texts == ["a", "a", "b", "c GET", "c GET"])
  }

  @Test func `a request after the last answer fails`() async throws {
    http.stub(.get, "/news", returns: .text("a")).once()
    _ = try await http.ask("/news")
    let issues = await issues {
      await #expect(throws: HTTPStubError.self) { try await http.ask("/news") }
    }
    #expect(
      issues.first?.message.contains(
        "called once. It matches, but all its answers are used.") == true)
  }

  @Test(arguments: [0, -1]) func `a count that is not positive fails the test`(count: Int) {
    let line = #line + 1
    let issues = issues { http.stub(.get, "/news", returns: .status(200)).times(count) }
    #expect(issues.map(\.line) == [line])
    #expect(
      issues.first?.message.contains(
        "'count' must be positive (got \(count)) for the stub GET /news") == true)
  }

  @Test(.virtualTime) func `waiting for calls ends with the last of them`() async throws {
    let stub = http.stub(.get, "/news", returns: .status(200))
    try await stub.wait(forCallCount: 0)
    async let waiter: Void = stub.wait(forCallCount: 2)
    for _ in 0..<2 { _ = try await http.ask("/news") }
    try await waiter
    #expect(stub.callCount == 2)
  }

  @Test(.virtualTime) func `a wait whose task is cancelled throws`() async throws {
    let stub = http.stub(.get, "/news", returns: .status(200))
    let waiter = Task { try await stub.wait(forCallCount: 1) }
    try await Task.sleep(for: .seconds(1))
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    let cancelledBefore = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      try await stub.wait(forCancellationCount: 1)
    }
    await #expect(throws: CancellationError.self) { try await cancelledBefore.value }
  }

  @Test func `waiting for a negative number of calls fails the test at the line of the wait`()
    async throws
  {
    let stub = http.stub(.get, "/news", returns: .status(200))
    let line = #line + 1
    let issues = try await issues { try await stub.wait(forCallCount: -1) }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("requests for GET /news") == true)
  }

  // MARK: Refusals

  @Test(arguments: ["users", "/users?page=1", "/:a/:a"])
  func `a malformed path fails the test and answers nothing`(path: String) async throws {
    let line = #line + 2
    let issues = await issues {
      let stub = http.stub(.get, path, returns: .status(200))
      await #expect(throws: HTTPStubError.self) { try await http.ask("/users") }
      #expect(stub.callCount == 0)
      http.verify()
    }
    #expect(issues.first?.line == line)
    #expect(issues.first?.message.contains("'\(path)' is not a valid path of a stub") == true)
    #expect(issues.count == 2)
  }

  @Test func `a second stub with the same conditions fails the test`() async throws {
    http.stub(.get, "/users/:id", where: .query("a"), .header("B", "c"), returns: .text("first"))
    let line = #line + 2
    let issues = issues {
      http.stub(.get, "/users/:name", where: .header("b", "c"), .query("a"), returns: .status(500))
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("the same requests as GET /users/:id") == true)
    let url = URL(string: "https://example.com/users/1?a=2")!
    let arrival = http.stubs.receive(HTTPStub.Request(.get, url, headers: ["b": "c"]))
    #expect(try await http.stubs.response(to: arrival).body == Data("first".utf8))
  }

  @Test func `stubs with different conditions are accepted`() {
    http.stub(.get, "/users", returns: .status(200))
    http.stub(.post, "/users", returns: .status(200))
    http.stub(.get, "/users", where: .query("a"), returns: .status(200))
    http.stub(.get, "/users", where: .query("a", "1"), returns: .status(200))
    http.stub(.get, "/users", where: .matching("x") { _ in true }, returns: .status(200))
    http.stub(.get, "/users", where: .matching("x") { _ in true }, returns: .status(200))
    http.stub(.put, "/users", where: .header("If-None-Match"), returns: .status(200))
    http.stub(.put, "/users", where: .header("If-None-Match", "*"), returns: .status(200))
    http.stub(.put, "/users", where: .query("a"), returns: .status(200))
    http.stub(.put, "/users", where: .query("a", "*"), returns: .status(200))
    http.stub(.put, "/users", where: .json(["a": "b", "c": "d"]), returns: .status(200))
    http.stub(.put, "/users", where: .json(["a": #"b","c":"d"#]), returns: .status(200))
  }

  @Test func `a stub that is added after the end fails the test`() {
    http.stubs.close("The server has stopped.")
    let issues = issues { http.stub(.get, "/users", returns: .status(200)) }
    #expect(issues.first?.message.contains("was added too late. The server has stopped.") == true)
  }

  @Test func `a handler that throws fails the test at its line`() async throws {
    struct Broken: Error {}
    let line = #line + 1
    http.stub(.get, "/users") { _ in throw Broken() }
    let issues = await issues {
      await #expect(throws: Broken.self) { try await http.ask("/users") }
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("GET /users threw an error: Broken()") == true)
  }

  @Test func `a handler may throw a URLError`() async throws {
    http.stub(.get, "/users") { _ in throw URLError(.networkConnectionLost) }
    await #expect(throws: URLError(.networkConnectionLost)) { try await http.ask("/users") }
  }

  // MARK: Verification

  @Test func `a stub that was never called fails the test at its line, once`() async throws {
    let http = MockHTTP()
    let line = #line + 1
    http.stub(.get, "/users", returns: .status(200))
    http.stub(.get, "/news", returns: .status(200)).optional()
    let issues = issues {
      http.verify()
      http.verify()
    }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.contains("GET /users was never called.") == true)
  }

  @Test func `a stub that was called less often than expected fails the test`() async throws {
    let http = MockHTTP()
    http.stub(.get, "/users", returns: .status(503)).times(2).then(.status(200))
    _ = try await http.ask("/users")
    let issues = issues { http.verify() }
    #expect(issues.first?.message.contains("was called once instead of 3 times") == true)
  }

  @Test func `the end of the scope verifies the stubs`() async throws {
    let line = #line + 3
    let issues = issues {
      withDoubles {
        MockHTTP().stub(.get, "/users", returns: .status(200))
        MockHTTP(requiresCalls: false).stub(.get, "/users", returns: .status(200))
      }
    }
    #expect(issues.map(\.line) == [line])
  }
}
