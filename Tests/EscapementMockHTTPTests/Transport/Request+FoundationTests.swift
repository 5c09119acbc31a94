import EscapementDoubles
import EscapementMockHTTP
import EscapementTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// All ways to set the body of a request.
@Suite(.doubles, .virtualTime) struct RequestFoundationTests {
  private let http = MockHTTP()
  private let body = Data((0..<50_000).map { UInt8(truncatingIfNeeded: $0) })
  private let stub: HTTPStub
  private var request = URLRequest(url: URL(string: "https://example.com/")!)

  init() {
    stub = http.stub(.post, "/", returns: .status(201))
    request.httpMethod = "POST"
  }

  @Test func `the body of a request arrives`() async throws {
    var request = request
    request.httpBody = body
    _ = try await http.makeSession().data(for: request)
    #expect(stub.requests.map(\.body) == [body])
  }

  @Test func `the stream of a request arrives`() async throws {
    var request = request
    request.httpBodyStream = InputStream(data: body)
    _ = try await http.makeSession().data(for: request)
    #expect(stub.requests.map(\.body) == [body])
  }

  @Test func `uploaded data arrives`() async throws {
    _ = try await http.makeSession().upload(for: request, from: body)
    #expect(stub.requests.map(\.body) == [body])
  }

  @Test func `an uploaded file arrives`() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID())")
    try body.write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    _ = try await http.makeSession().upload(for: request, fromFile: file)
    #expect(stub.requests.map(\.body) == [body])
  }

  @Test func `an uploaded stream that the delegate provides arrives`() async throws {
    let events = SessionEvents(body: body)
    http.makeSession(delegate: events).uploadTask(withStreamedRequest: request).resume()
    await events.end()
    #expect(stub.requests.map(\.body) == [body])
  }

  @Test func `an upload without data arrives with an empty body`() async throws {
    _ = try await http.makeSession().upload(for: request, from: Data())
    #expect(stub.requests.map(\.body) == [Data()])
  }

  @Test func `header fields of the request and of the session arrive`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpAdditionalHeaders = ["X-Session": "s", "X-Both": "session"]
    var request = request
    request.setValue("request", forHTTPHeaderField: "X-Both")
    _ = try await http.makeSession(configuration: configuration).data(for: request)
    let headers = try #require(stub.requests.first?.headers)
    #expect(headers["x-session"] == "s")
    #expect(headers["x-both"] == "request")
  }
}
