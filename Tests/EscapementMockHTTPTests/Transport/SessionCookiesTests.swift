import EscapementTesting
import Foundation
import Testing

@testable import EscapementMockHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.doubles, .virtualTime) struct SessionCookiesTests {
  private let http = MockHTTP()
  private let url = URL(string: "https://example.com/")!

  private func names(_ session: URLSession) -> [String] {
    (session.configuration.httpCookieStorage?.cookies(for: url) ?? []).map(\.name).sorted()
  }

  @Test func `all cookies of an answer reach the storage of the session`() async throws {
    http.stub(
      .get, "/",
      returns: .status(200)
        .header("Set-Cookie", "a=1; Expires=Wed, 09 Jun 2100 10:18:14 GMT; Path=/")
        .header("Set-Cookie", "b=2"))
    let session = http.makeSession()
    let (_, response) = try await session.data(from: url)
    #expect(names(session) == ["a", "b"])
    let field = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Set-Cookie")
    #expect(field?.hasSuffix("Path=/, b=2") == true)
  }

  @Test func `the next request has the cookies`() async throws {
    let stub = http.stub(.get, "/", returns: .status(200).header("Set-Cookie", "a=1"))
    let session = http.makeSession()
    for _ in 0..<2 { _ = try await session.data(from: url) }
    #expect(stub.requests.map { $0.headers["Cookie"] } == [nil, "a=1"])
  }

  @Test func `the request that follows a redirection has its cookies`() async throws {
    http.stub(
      .get, "/", returns: .redirect(to: "/next").header("Set-Cookie", "a=1; Path=/"))
    let next = http.stub(.get, "/next", returns: .status(200))
    let session = http.makeSession()
    _ = try await session.data(from: url)
    #expect(names(session) == ["a"])
    #expect(next.requests.map { $0.headers["Cookie"] } == ["a=1"])
  }

  @Test func `a session that accepts no cookies keeps none`() async throws {
    http.stub(.get, "/", returns: .status(200).header("Set-Cookie", "a=1"))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieAcceptPolicy = .never
    let session = http.makeSession(configuration: configuration)
    _ = try await session.data(from: url)
    #expect(names(session) == [])
  }

  @Test func `sessions of one configuration do not share cookies with other tests`() async throws {
    http.stub(.get, "/", returns: .status(200).header("Set-Cookie", "a=1"))
    _ = try await http.makeSession().data(from: url)
    #expect(names(http.makeSession()) == [])
  }
}
