import EscapementTesting
import Foundation
import TestSupport
import Testing

@testable import EscapementDoubles
@testable import EscapementMockHTTP

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private func url(_ path: String) -> URL { URL(string: "https://example.com\(path)")! }

/// The behaviour of the transport for all ways to use a session.
///
/// Covers `LoadingClient`, `LoadingQueue`, `Finisher`, `Passthrough`, `ShadowURLProtocol` and
/// `StubbedSession` as well.
@Suite(.doubles, .virtualTime) struct ExchangeTests {
  private let http = MockHTTP()

  private func completion(_ session: URLSession, _ request: URLRequest) async
    -> (data: Data?, response: URLResponse?, error: (any Error)?)
  {
    await withCheckedContinuation { continuation in
      session.dataTask(with: request) { continuation.resume(returning: ($0, $1, $2)) }.resume()
    }
  }

  // MARK: Answers

  @Test func `an async caller gets the answer`() async throws {
    http.stub(.get, "/users/:id") { request in .json(["id": request["id"]], status: 203) }
    let (data, response) = try await http.makeSession().data(from: url("/users/7"))
    #expect(data == Data(#"{"id":"7"}"#.utf8))
    let head = try #require(response as? HTTPURLResponse)
    #expect(head.statusCode == 203)
    #expect(head.url == url("/users/7"))
    #expect(head.value(forHTTPHeaderField: "content-type") == "application/json")
  }

  @Test func `a completion handler gets the answer`() async throws {
    http.stub(.get, "/", returns: .text("hello"))
    let (data, response, error) = await completion(http.makeSession(), URLRequest(url: url("/")))
    #expect(data == Data("hello".utf8))
    #expect((response as? HTTPURLResponse)?.statusCode == 200)
    #expect(error == nil)
  }

  @Test func `a delegate gets the answer`() async throws {
    http.stub(.get, "/", returns: .text("hello"))
    let events = SessionEvents()
    http.makeSession(delegate: events).dataTask(with: url("/")).resume()
    await events.end()
    #expect(events.all == ["status 200", "data hello", "end"])
  }

  @Test func `async callers and completion handlers get an answer in chunks as a whole`()
    async throws
  {
    let parts = ["one,", "two,", "three"].map { Data($0.utf8) }
    http.stub(.get, "/", returns: .chunks(parts, every: .seconds(1)))
    let whole = Data("one,two,three".utf8)
    let events = SessionEvents()
    let session = http.makeSession(delegate: events)
    #expect(try await http.makeSession().data(from: url("/")).0 == whole)
    #expect(try await session.data(from: url("/")).0 == whole)
    #expect(await completion(session, URLRequest(url: url("/"))).data == whole)
    session.dataTask(with: url("/")).resume()
    await events.end()
    #expect(events.all == ["status 200", "data one,", "data two,", "data three", "end"])
  }

  @Test func `a status may come without a body`() async throws {
    http.stub(.delete, "/", returns: .status(204))
    var request = URLRequest(url: url("/"))
    request.httpMethod = "DELETE"
    let (data, response) = try await http.makeSession().data(for: request)
    #expect(data.isEmpty)
    #expect((response as? HTTPURLResponse)?.statusCode == 204)
  }

  @Test func `a request with a custom scheme is answered`() async throws {
    http.stub(.get, "app://host/start", returns: .text("started"))
    let (data, _) = try await http.makeSession().data(from: URL(string: "app://host/start")!)
    #expect(data == Data("started".utf8))
  }

  @Test func `a request with the status 401 ends`() async throws {
    http.stub(.get, "/", returns: .status(401))
    let (_, response) = try await http.makeSession().data(from: url("/"))
    #expect((response as? HTTPURLResponse)?.statusCode == 401)
  }

  @TaskLocal private static var name = ""

  @Test func `a handler has the task-local values of the caller`() async throws {
    http.stub(.get, "/") { _ in .text(Self.name) }
    let session = http.makeSession()
    let data = try await Self.$name.withValue("Ann") { try await session.data(from: url("/")).0 }
    #expect(data == Data("Ann".utf8))
  }

  @Test func `HEAD gets the header fields and no body`() async throws {
    http.stub(.head, "/", returns: .text("hello"))
    var request = URLRequest(url: url("/"))
    request.httpMethod = "HEAD"
    let (data, response) = try await http.makeSession().data(for: request)
    #expect(data.isEmpty)
    #expect((response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Type") != nil)
  }

  @Test func `a handler may make requests itself`() async throws {
    let session = http.makeSession()
    http.stub(.get, "/inner", returns: .text("inner"))
    http.stub(.get, "/outer") { _ in .data(try await session.data(from: url("/inner")).0) }
    #expect(try await session.data(from: url("/outer")).0 == Data("inner".utf8))
  }

  @Test func `a request that is passed through reaches the network`() async throws {
    // No server listens at this port, so the error comes from the network.
    http.stub(.get, "http://127.0.0.1:1/*", returns: .passthrough)
    await #expect {
      try await http.makeSession().data(from: URL(string: "http://127.0.0.1:1/a")!)
    } throws: {
      ($0 as? URLError)?.code == .cannotConnectToHost
    }
  }

  @Test func `a session that the test creates gets the stubs from its configuration`() async throws
  {
    http.stub(.get, "/", returns: .text("hello"))
    let session = URLSession(configuration: http.makeConfiguration())
    #expect(try await session.data(from: url("/")).0 == Data("hello".utf8))
  }

  @Test func `a session keeps its stubs alive`() async throws {
    let session: URLSession
    do {
      let http = MockHTTP()
      http.stub(.get, "/", returns: .text("kept"))
      session = http.makeSession()
    }
    for _ in 0..<10 { _ = MockHTTP().makeSession() }
    #expect(try await session.data(from: url("/")).0 == Data("kept".utf8))
  }

  // MARK: Errors

  @Test func `the client gets the error of the answer`() async throws {
    http.stub(.get, "/", returns: .failing(URLError(.notConnectedToInternet)))
    let session = http.makeSession()
    await #expect(throws: URLError(.notConnectedToInternet)) {
      try await session.data(from: url("/"))
    }
    let (data, response, error) = await completion(session, URLRequest(url: url("/")))
    #expect((error as? URLError)?.code == .notConnectedToInternet)
    #expect(data == nil && response == nil)
  }

  @Test func `a connection may fail in the middle of the body`() async throws {
    http.stub(.get, "/", returns: .text("half").failing(URLError(.networkConnectionLost)))
    let events = SessionEvents()
    let session = http.makeSession(delegate: events)
    await #expect(throws: URLError(.networkConnectionLost)) {
      try await session.data(from: url("/"))
    }
    session.dataTask(with: url("/")).resume()
    await events.end()
    #expect(events.all == ["status 200", "data half", "error -1005"])
  }

  // MARK: Cancellation

  @Test func `a cancelled request fails, and its handler is cancelled`() async throws {
    let stub = http.stub(.get, "/") { _ in
      try await Task.sleep(for: .seconds(30))
      return .status(200)
    }
    let session = http.makeSession()
    let request = Task { try await session.data(from: url("/")) }
    try await stub.wait(forCallCount: 1)
    request.cancel()
    await #expect { try await request.value } throws: { ($0 as? URLError)?.code == .cancelled }
    try await stub.wait(forCancellationCount: 1)
    #expect(stub.cancellationCount == 1)
  }

  @Test func `an answer that never comes ends with the request`() async throws {
    let stub = http.stub(.get, "/", returns: .never)
    let events = SessionEvents()
    let task = http.makeSession(delegate: events).dataTask(with: url("/"))
    task.resume()
    try await stub.wait(forCallCount: 1)
    task.cancel()
    await events.end()
    #expect(events.all == ["error -999"])
    #expect(stub.cancellationCount == 1)
  }

  @Test func `a request that is cancelled before it starts does not reach the stubs`() async throws
  {
    let stub = http.stub(.get, "/", returns: .status(200)).optional()
    let events = SessionEvents()
    let task = http.makeSession(delegate: events).dataTask(with: url("/"))
    task.cancel()
    await events.end()
    #expect(events.all == ["error -999"])
    #expect(stub.callCount == 0)
    #expect(http.requests.isEmpty)
  }

  @Test func `a session that is invalidated cancels its requests`() async throws {
    let stub = http.stub(.get, "/", returns: .never)
    let session = http.makeSession()
    let request = Task { try await session.data(from: url("/")) }
    try await stub.wait(forCallCount: 1)
    session.invalidateAndCancel()
    await #expect { try await request.value } throws: { ($0 as? URLError)?.code == .cancelled }
  }

  @Test(.virtualStandardClocks) func `a suspended request continues after it is resumed`()
    async throws
  {
    let stub = http.stub(.get, "/") { _ in
      try await Task.sleep(for: .seconds(30))
      return .text("late")
    }
    let events = SessionEvents()
    let task = http.makeSession(delegate: events).dataTask(with: url("/"))
    task.resume()
    try await stub.wait(forCallCount: 1)
    task.suspend()
    task.resume()
    await events.end()
    #expect(events.all == ["status 200", "data late", "end"])
    #expect(stub.callCount == 1)
  }

  // MARK: Failures

  @Test func `a request that no stub answers fails, and fails the test`() async throws {
    let issues = await issues {
      await #expect(throws: HTTPStubError.self) {
        try await http.makeSession().data(from: url("/nowhere"))
      }
    }
    #expect(issues.count == 1)
    #expect(
      issues.first?.message.contains("No stub answers GET https://example.com/nowhere") == true)
  }

  // The request of a foreign thread does not hold the time of the scope, and may take long.
  @Test(.virtualTime(.init(stallLimit: .seconds(600))))
  func `a request of a foreign thread that no stub answers fails the test`() async throws {
    let issues = await issues {
      await withDoubles {
        let session = MockHTTP().makeSession()
        let failure = await withCheckedContinuation { continuation in
          onForeignThread {
            session.dataTask(with: url("/")) { continuation.resume(returning: $2) }.resume()
          }
        }
        #expect(failure is HTTPStubError)
      }
    }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("No stub answers GET https://example.com/.") == true)
  }

  @Test func `a fault that needs a connection is refused`() async throws {
    var response = HTTPStub.Response(status: 200)
    response.kind = .fault(.reset)
    http.stub(.get, "/", returns: response)
    let issues = await issues {
      _ = try? await http.makeSession().data(from: url("/"))
    }
    #expect(issues.first?.message.contains("use the mock server") == true)
  }

  #if canImport(FoundationNetworking)
    @Test func `a download is refused`() async throws {
      let session = http.makeSession()
      let events = SessionEvents()
      let issues = await issues {
        await #expect(throws: HTTPStubError.self) { try await session.download(from: url("/")) }
        let failure = await withCheckedContinuation { continuation in
          session.downloadTask(with: url("/")) { continuation.resume(returning: $2) }.resume()
        }
        #expect(failure is HTTPStubError)
        http.makeSession(delegate: events).downloadTask(with: url("/")).resume()
        await events.end()
      }
      #expect(events.all == ["error 0"])
      #expect(issues.count == 3)
      #expect(issues.allSatisfy { $0.message.contains("use the mock server") })
    }

    @Test func `an answer without a status is refused`() async throws {
      http.stub(.get, "/", returns: HTTPStub.Response())
      let issues = await issues { _ = try? await http.makeSession().data(from: url("/")) }
      #expect(issues.first?.message.contains("GET / has no status.") == true)
    }

    @Test func `an answer that would make Foundation hang is refused`() async throws {
      http.stub(.get, "/", returns: .status(401).header("WWW-Authenticate", "Basic"))
      let issues = await issues {
        await #expect(throws: HTTPStubError.self) {
          try await http.makeSession().data(from: url("/"))
        }
      }
      #expect(issues.first?.message.contains("waits for ever") == true)
    }
  #endif
}
