import EscapementTesting
import Foundation
import TestSupport
import Testing

@testable import EscapementDoubles
@testable import EscapementMockHTTP

/// Covers `HTTPStub.Matcher` as well.
@Suite struct StubDiagnosisTests {
  private let http = MockHTTP(requiresCalls: false)

  /// The failure of a request that no stub answers.
  private func complaint(
    _ path: String, _ method: HTTPStub.Method = .get, headers: HTTPStub.Headers = [:],
    body: String = ""
  ) async throws -> String {
    nonisolated(unsafe) var thrown: (any Error)?
    let issues = await issues {
      do {
        _ = try await http.ask(path, method, headers: headers, body: body)
      } catch { thrown = error }
    }
    #expect(issues.count == 1)
    let message = try #require(issues.first?.message)
    #expect(message.contains(try #require(thrown as? HTTPStubError).description))
    return message
  }

  @Test func `without stubs the failure says how to add one`() async throws {
    let complaint = try await complaint("/users?page=2", .post, body: "{}")
    #expect(complaint.contains("No stub answers POST https://example.com/users?page=2\nbody: {}."))
    #expect(complaint.contains(#"stub(.post, "/users")"#))
  }

  @Test func `the failure is at the line that created the network`() async throws {
    let line = #line + 1
    let http = MockHTTP()
    let issues = await issues { _ = try? await http.ask("/") }
    #expect(issues.map(\.line) == [line])
  }

  @Test func `the closest stub has the path, then the method, then the most matchers`() async throws
  {
    http.stub(.get, "/news", returns: .status(200))
    http.stub(.delete, "/users", returns: .status(200))
    http.stub(.post, "/users", where: .query("b"), .query("c"), returns: .status(200))
    http.stub(.post, "/users", where: .query("a"), .query("d"), returns: .status(200))
    let complaint = try await complaint("/users?a", .post)
    #expect(complaint.contains("The query item 'd' is missing."))
    #expect(!complaint.contains("The query item 'b' is missing."))
  }

  @Test func `the failure names the conditions that are not met, and lists the other stubs`()
    async throws
  {
    let line = #line + 1
    http.stub(
      .post, "/users", where: .query("page", "1"), .header("Accept"),
      .json(["name": "Ann"]), returns: .status(200))
    http.stub(.get, "/news", returns: .status(200))
    let complaint = try await complaint("/users?page=2", .post, body: #"{"name":"Bob"}"#)
    #expect(complaint.contains("The closest is POST /users, at StubDiagnosisTests.swift:\(line)"))
    #expect(complaint.contains("- The query item 'page' is '2', not '1'."))
    #expect(complaint.contains("- The header field 'Accept' is missing."))
    #expect(complaint.contains(#"- The JSON of the body: $.name is "Bob", not "Ann"."#))
    #expect(complaint.contains("The other stubs:\n- GET /news, at "))
  }

  @Test func `the failure names a wrong method and a wrong path`() async throws {
    http.stub(.get, "/users/:id", returns: .status(200))
    #expect(try await complaint("/users/1", .put).contains("- The method is PUT, not GET."))
    let other = try await complaint("/user/1", .get)
    #expect(other.contains("- The path is '/user/1', not '/users/:id'."))
  }

  @Test func `the failure names a wrong server, and no path that fits`() async throws {
    http.stub(.get, "https://example.com:8443/users", returns: .status(200))
    let complaint = try await complaint("/users")
    #expect(
      complaint.contains(
        "- The server is 'https://example.com', not 'https://example.com:8443'."))
    #expect(!complaint.contains("The path is"))
    let other = try await self.complaint("/news")
    #expect(other.contains("- The path is '/news', not '/users'."))
  }

  @Test func `the failure lists at most 20 other stubs`() async throws {
    for id in 0...21 { http.stub(.get, "/users/\(id)", returns: .status(200)) }
    let complaint = try await complaint("/news")
    #expect(complaint.contains("\n- GET /users/20, at "))
    #expect(!complaint.contains("\n- GET /users/21, at "))
    #expect(complaint.hasSuffix("\n- and 1 more"))
  }

  @Test func `a used stub does not leave its requests to a less specific one`() async throws {
    http.stub(.get, "/users/:id", returns: .text("any"))
    http.stub(.get, "/users/me", returns: .text("me")).once()
    #expect(try await http.text("/users/me") == "me")
    let complaint = try await complaint("/users/me")
    #expect(complaint.contains("called once. It matches, but all its answers are used."))
    #expect(try await http.text("/users/1") == "any")
  }

  @Test func `a query item that occurs twice has both values`() async throws {
    http.stub(.get, "/", where: .query("a", "1"), returns: .text("yes"))
    #expect(try await http.text("/?a=1&a=2") == "yes")
    #expect(try await http.text("/?a=2&a=1") == "yes")
    let complaint = try await complaint("/?a=2&a=3")
    #expect(complaint.contains("- The query item 'a' is '2' and '3', not '1'."))
  }

  @Test(arguments: [
    (HTTPStub.Matcher.body("a"), "b", "The body is 'b', not 'a'."),
    (.json(["a"]), "b", "The body is not JSON: 'b'."),
    (.json(text: "nothing"), "b", "The matcher of the stub is not valid JSON: 'nothing'."),
    (.matching("has a B") { $0.text == "B" }, "b", "The condition 'has a B' is not met."),
  ])
  func `a matcher says why a request does not match`(
    matcher: HTTPStub.Matcher, body: String, message: String
  ) async throws {
    http.stub(.post, "/", where: matcher, returns: .status(200))
    #expect(try await complaint("/", .post, body: body).contains("- \(message)"))
  }

  @Test func `matchers see only requests that fit the method and the path of their stub`()
    async throws
  {
    let seen = Log<String>()
    for (name, method, path) in [
      ("post", .get, "/posts/:id"), ("other method", .put, "/news"), ("news", .get, "/news"),
      ("any", .any, "/news"),
    ] as [(String, HTTPStub.Method, String)] {
      http.stub(
        method, path,
        where: .matching("is recorded") { _ in
          seen.append(name)
          return false
        }, returns: .status(200))
    }
    _ = try await complaint("/news")
    #expect(Set(seen.entries) == ["news", "any"])
    http.stub(.get, "/free", returns: .text("yes"))
    #expect(try await http.text("/free") == "yes")
    #expect(seen.entries.count == 2)
  }

  @Test func `a request that meets all matchers is answered`() async throws {
    http.stub(
      .any, "/", where: .query("a", "1"), .query("b"), .header("accept", "x"), .body("[1, 2]"),
      .json([1, 2]), .json(text: "[1,2]"), .matching("is all right") { $0["a"] == "1" },
      returns: .text("yes"))
    let response = try await http.ask(
      "/?b&a=0&a=1", .patch, headers: ["ACCEPT": "x"], body: "[1, 2]")
    #expect(response.body == Data("yes".utf8))
  }

  @Test func `the most specific stub answers`() async throws {
    http.stub(.any, "/users/:id", returns: .text("any"))
    http.stub(.get, "/users/:id", returns: .text("get"))
    http.stub(.get, "/users/:id", where: .query("full"), returns: .text("full"))
    http.stub(.get, "/users/me", returns: .text("me"))
    http.stub(.get, "/*", returns: .text("rest"))
    #expect(try await http.text("/users/1", .put) == "any")
    #expect(try await http.text("/users/1") == "get")
    #expect(try await http.text("/users/1?full") == "full")
    #expect(try await http.text("/users/me?full") == "me")
    #expect(try await http.text("/users") == "rest")
  }

  @Test func `several stubs that are equally specific fail the test`() async throws {
    http.stub(.get, "/users", where: .query("a"), returns: .text("a"))
    http.stub(.get, "/users", where: .query("b"), returns: .text("b"))
    #expect(try await http.text("/users?a") == "a")
    let complaint = try await complaint("/users?a&b", .get)
    #expect(complaint.contains("Several stubs answer GET https://example.com/users?a&b:"))
  }

  @Test func `a request that no stub matches may have an answer`() async throws {
    let http = MockHTTP(unmatched: .answer(.status(404)))
    #expect(try await http.ask("/").status == 404)
    #expect(http.requests.count == 1)
  }
}
