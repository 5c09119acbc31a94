import EscapementDoubles
import EscapementMockHTTP
import EscapementTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

@Suite(.serialized, .doubles, .virtualTime) struct MockURLProtocolTests {
  private let url = URL(string: "https://example.com/a?b=1")!
  private let session: URLSession

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.protocolClasses = [MockURLProtocol.self]
    configuration.urlCache = nil
    session = URLSession(configuration: configuration)
  }

  private func response(_ status: Int, _ fields: [String: String] = [:]) -> HTTPURLResponse {
    HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: fields)!
  }

  @Test func `the handler answers`() async throws {
    let response = response(203, ["X-Field": "x"])
    MockURLProtocol.requestHandler = { request in
      #expect(request.url?.query == "b=1")
      return (response, Data("hello".utf8))
    }
    let (data, head) = try await session.data(from: url)
    #expect(data == Data("hello".utf8))
    #expect((head as? HTTPURLResponse)?.statusCode == 203)
    #expect((head as? HTTPURLResponse)?.value(forHTTPHeaderField: "X-Field") == "x")
  }

  @Test func `the handler gets the body, from data or a stream`() async throws {
    let response = response(201)
    MockURLProtocol.requestHandler = { (response, $0.httpBody ?? Data()) }
    var request = URLRequest(url: url)
    request.httpMethod = "POST"
    #expect(try await session.upload(for: request, from: Data("up".utf8)).0 == Data("up".utf8))
    request.httpBodyStream = InputStream(data: Data("stream".utf8))
    #expect(try await session.data(for: request).0 == Data("stream".utf8))
  }

  @Test func `the handler may throw any error`() async throws {
    struct Broken: Error {}
    MockURLProtocol.requestHandler = { _ in throw Broken() }
    await #expect(throws: Broken.self) { try await session.data(from: url) }
  }

  @Test func `the handler may wait`() async throws {
    let time = try #require(VirtualTime.current)
    let response = response(200)
    MockURLProtocol.requestHandler = { _ in
      try await time.sleep(for: .seconds(30))
      return (response, Data())
    }
    _ = try await session.data(from: url)
    #expect(time.now.offset == .seconds(30))
  }

  @Test func `a request without a handler fails, and fails the test`() async throws {
    MockURLProtocol.requestHandler = nil
    let issues = await issues {
      await #expect(throws: HTTPStubError.self) { try await session.data(from: url) }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("'MockURLProtocol.requestHandler' is nil") == true)
  }
}
