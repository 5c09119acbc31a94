import EscapementTesting
import Foundation
import Testing

@testable import EscapementDoubles
@testable import EscapementMockHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.doubles, .virtualTime) struct RedirectionTests {
  private let http = MockHTTP()

  private func next(
    _ method: HTTPStub.Method, _ status: Int, _ location: String = "/b"
  ) -> HTTPStub.Request? {
    let request = HTTPStub.Request(
      method, URL(string: "https://example.com/dir/a?x=1")!,
      headers: ["Content-Type": "text/plain", "Authorization": "secret", "Accept": "x"],
      body: Data("body".utf8))
    let response = HTTPStub.Response.status(status).header("Location", location)
    return Redirection(of: request, to: response)?.request
  }

  @Test(arguments: [301, 302, 303, 307, 308])
  func `GET stays GET`(status: Int) { #expect(next(.get, status)?.method == .get) }

  @Test(arguments: [301, 302, 303]) func `POST becomes GET without its body`(status: Int) throws {
    let next = try #require(self.next(.post, status))
    #expect(next.method == .get)
    #expect(next.body.isEmpty)
    #expect(next.headers["Content-Type"] == nil)
    #expect(next.headers["Accept"] == "x")
  }

  @Test(arguments: [307, 308]) func `POST stays POST with its body`(status: Int) throws {
    let next = try #require(self.next(.post, status))
    #expect(next.method == .post)
    #expect(next.body == Data("body".utf8))
    #expect(next.headers["Content-Type"] == "text/plain")
  }

  @Test func `PUT becomes GET only for the status 303`() {
    #expect(next(.put, 302)?.method == .put)
    #expect(next(.put, 303)?.method == .get)
    #expect(next(.head, 303)?.method == .head)
  }

  @Test(arguments: [200, 300, 304, 404]) func `other statuses do not redirect`(status: Int) {
    #expect(next(.get, status) == nil)
  }

  @Test(arguments: [
    ("/b", "https://example.com/b"), ("b?y=2", "https://example.com/dir/b?y=2"),
    ("https://other.com/b", "https://other.com/b"), ("//other.com/b", "https://other.com/b"),
  ])
  func `the location may be relative`(location: String, url: String) {
    #expect(next(.get, 302, location)?.url.absoluteString == url)
  }

  @Test func `a redirection to another server drops the credentials`() {
    #expect(next(.get, 302)?.headers["Authorization"] == "secret")
    #expect(next(.get, 302, "https://example.com:443/")?.headers["Authorization"] == "secret")
    for other in ["https://other.com/", "https://example.com:8443/", "http://example.com/"] {
      #expect(next(.get, 302, other)?.headers["Authorization"] == nil)
    }
  }

  // MARK: With a session

  @Test func `a redirection is followed`() async throws {
    http.stub(.get, "/old", returns: .redirect(to: "/new"))
    http.stub(.get, "/new", returns: .text("new"))
    let (data, response) = try await http.makeSession().data(
      from: URL(string: "https://example.com/old")!)
    #expect(data == Data("new".utf8))
    #expect(response.url?.path == "/new")
    #expect(http.requests.map(\.path) == ["/old", "/new"])
  }

  @Test func `a delegate may change or refuse a redirection`() async throws {
    http.stub(.get, "/old", returns: .redirect(to: "/new"))
    http.stub(.get, "/other", returns: .text("other"))
    let elsewhere = SessionEvents { _ in URLRequest(url: URL(string: "https://example.com/other")!)
    }
    http.makeSession(delegate: elsewhere).dataTask(with: URL(string: "https://example.com/old")!)
      .resume()
    await elsewhere.end()
    #expect(elsewhere.all == ["redirection 302 to /new", "status 200", "data other", "end"])
    let nowhere = SessionEvents { _ in nil }
    http.makeSession(delegate: nowhere).dataTask(with: URL(string: "https://example.com/old")!)
      .resume()
    await nowhere.end()
    #expect(nowhere.all == ["redirection 302 to /new", "status 302", "end"])
  }

  @Test func `an endless redirection fails`() async throws {
    http.stub(.get, "/a", returns: .redirect(to: "/b"))
    http.stub(.get, "/b", returns: .redirect(to: "/a"))
    await #expect(throws: URLError(.httpTooManyRedirects)) {
      try await http.makeSession().data(from: URL(string: "https://example.com/a")!)
    }
    #expect(http.requests.count == 21)
  }
}
