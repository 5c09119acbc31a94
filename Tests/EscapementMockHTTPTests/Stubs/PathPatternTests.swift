import Foundation
import Testing

@testable import EscapementDoubles
@testable import EscapementMockHTTP

@Suite struct PathPatternTests {
  private func parameters(_ pattern: String, _ url: String) throws -> [String: String]? {
    try PathPattern(pattern).parameters(in: HTTPStub.Address(URL(string: url)!))
  }

  @Test(arguments: [
    ("/", "https://example.com"), ("/", "https://example.com/"),
    ("/users", "https://example.com/users?page=2#top"),
    ("/users/", "https://example.com/users/"), ("/a%20b", "https://example.com/a%20b"),
    ("/a/b", "http://localhost:8080/a/b"), ("/files/*", "https://example.com/files/a/b/c.txt"),
    ("/load/https://h/a", "https://example.com/load/https://h/a"),
  ])
  func `a path matches itself, on any server`(pattern: String, url: String) throws {
    #expect(try parameters(pattern, url) == [:])
  }

  @Test(arguments: [
    ("/users", "https://example.com/users/"), ("/users", "https://example.com/Users"),
    ("/users", "https://example.com/"), ("/users", "https://example.com/users/1"),
    ("/users/:id", "https://example.com/users"), ("/users/:id", "https://example.com/users/"),
    ("/users/:id", "https://example.com/users/1/2"), ("/files/*", "https://example.com/files"),
    ("/users", "/users"), ("/users", "//h/users"), ("/users", "xusers"), ("/*", "app://h/users"),
  ])
  func `a path does not match another`(pattern: String, url: String) throws {
    #expect(try parameters(pattern, url) == nil)
  }

  @Test func `parameters are the segments of their names, without escapes`() throws {
    let found = try parameters(
      "/users/:id/posts/:post_2", "https://example.com/users/a%2Fb/posts/9")
    #expect(found == ["id": "a/b", "post_2": "9"])
  }

  @Test func `a pattern with a server matches this server only`() throws {
    let pattern = "https://Example.com:8443/users/:id"
    #expect(try parameters(pattern, "https://example.com:8443/users/1") == ["id": "1"])
    #expect(try parameters(pattern, "https://example.com/users/1") == nil)
    #expect(try parameters(pattern, "http://example.com:8443/users/1") == nil)
    #expect(try parameters("https://example.com", "https://example.com/") == [:])
  }

  @Test(arguments: [
    ("https://h:443/a", "https://h/a"), ("https://h/a", "https://h:443/a"),
    ("HTTP://H:80/a", "http://h/a"), ("http://h/a", "http://user:secret@h/a"),
    ("http://[::1]:8080/a", "http://[::1]:8080/a"), ("http://[FE80::1]/a", "http://[fe80::1]/a"),
    ("http://h:8080", "http://h:8080"), ("app://h:80/a", "app://h:80/a"),
  ])
  func `a server matches itself, however it is written`(pattern: String, url: String) throws {
    #expect(try parameters(pattern, url) == [:])
  }

  @Test(arguments: [
    ("https://h:80/a", "https://h/a"), ("http://h:443/a", "http://h/a"),
    ("app://h:80/a", "app://h/a"),
    ("http://[::1]/a", "http://[::2]/a"),
  ])
  func `a server does not match another port or address`(pattern: String, url: String) throws {
    #expect(try parameters(pattern, url) == nil)
  }

  @Test(arguments: [
    "https://h?a=1", "https://h#top", "https://user@h/a", "https://*.h/a", "https://h h/a",
    "https://h:port/a",
  ])
  func `a server that is more than a scheme, a host and a port is refused`(pattern: String) {
    do {
      _ = try PathPattern(pattern)
      Issue.record("accepted")
    } catch {
      #expect(error.reason.contains("is not a scheme and a host, with or without a port"))
    }
  }

  @Test(arguments: [
    ("", "begin"), ("users", "begin"), ("://a/b", "incomplete"), ("https:///b", "incomplete"),
    ("/a?b=1", "'?'"), ("/a#b", "'#'"), ("/a b", "' '"), ("/:", "':'"), ("/:1", "':1'"),
    ("/:a-b", "':a-b'"), ("/:a/:a", "twice"), ("/*/a", "only at the end"), ("/%ff", "'%ff'"),
  ])
  func `a malformed pattern is refused with the reason`(pattern: String, reason: String) {
    do {
      _ = try PathPattern(pattern)
      Issue.record("accepted")
    } catch {
      #expect(error.reason.contains(reason), "\(error.reason)")
    }
  }

  @Test func `patterns of one shape differ only in the names of their parameters`() throws {
    #expect(try PathPattern("/a/:b").shape == PathPattern("/a/:c").shape)
    #expect(try PathPattern("/a/:b").shape != PathPattern("/a/b").shape)
    #expect(try PathPattern("/a/:b").shape != PathPattern("/a/*").shape)
  }

  @Test func `a literal goes before a parameter, and a parameter before a wildcard`() throws {
    let ordered = try ["https://h/*", "/a/b", "/a/:x", "/a/*", "/:x/b", "/*"].map {
      try PathPattern($0).precedence
    }
    for (higher, lower) in zip(ordered, ordered.dropFirst()) {
      #expect(lower.lexicographicallyPrecedes(higher), "\(higher) \(lower)")
    }
  }
}
