import Escapement
import EscapementDoubles
import EscapementMockHTTP
import EscapementTesting
import Foundation
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

private let url = URL(string: "https://example.com/")!

/// The exact instants at which requests are answered or fail, in virtual time.
@Suite(.doubles, .virtualTime) struct ExchangeTimeTests {
  private let http = MockHTTP()
  private let time: VirtualTime

  init() throws { time = try #require(VirtualTime.current) }

  private var now: Duration { time.now.offset }

  @Test func `an answer takes exactly its delay`() async throws {
    http.stub(.get, "/", returns: .text("late").delayed(by: .seconds(30)))
    _ = try await http.makeSession().data(from: url)
    #expect(now == .seconds(30))
    _ = try await http.makeSession().data(from: url)
    #expect(now == .seconds(60))
  }

  @Test func `a handler may wait on the standard clocks and on the handle`() async throws {
    http.stub(.get, "/") { [time] _ in
      if VirtualTime.virtualizesStandardClocks { try await Task.sleep(for: .seconds(10)) }
      try await time.sleep(for: .seconds(5))
      return .status(200)
    }
    _ = try await http.makeSession().data(from: url)
    #expect(now == .seconds(VirtualTime.virtualizesStandardClocks ? 15 : 5))
  }

  @Test func `an answer without a delay takes no time while other tasks sleep`() async throws {
    http.stub(.get, "/", returns: .chunks([Data("a".utf8), Data("b".utf8)]))
    let ticking = Task { while true { try await time.sleep(for: .nanoseconds(1)) } }
    for _ in 0..<20 { _ = try await http.makeSession().data(from: url) }
    #expect(now == .zero)
    ticking.cancel()
  }

  @Test func `delegates and completion handlers take no time`() async throws {
    http.stub(.get, "/", returns: .text("a"))
    let ticking = Task { while true { try await time.sleep(for: .nanoseconds(1)) } }
    for _ in 0..<20 {
      let events = SessionEvents()
      http.makeSession(delegate: events).dataTask(with: url).resume()
      await events.end()
      await withCheckedContinuation { continuation in
        http.makeSession().dataTask(with: url) { _, _, _ in continuation.resume() }.resume()
      }
    }
    #expect(now == .zero)
    ticking.cancel()
  }

  private actor Loader {
    func load(_ session: URLSession) async throws -> Data { try await session.data(from: url).0 }

    func loadWithHandler(_ session: URLSession) async -> Data? {
      await withCheckedContinuation { continuation in
        session.dataTask(with: url) { data, _, _ in continuation.resume(returning: data) }.resume()
      }
    }
  }

  @MainActor private func loadOnMainActor(_ session: URLSession) async throws -> Data {
    let data = try await session.data(from: url).0
    MainActor.assertIsolated()
    return data
  }

  @Test func `a request takes the same time on every actor`() async throws {
    http.stub(.get, "/", returns: .text("a"))
    let session = http.makeSession()
    let loader = Loader()
    let ticking = Task { while true { try await time.sleep(for: .nanoseconds(1)) } }
    for _ in 0..<20 {
      #expect(try await loadOnMainActor(session) == Data("a".utf8))
      #expect(try await loader.load(session) == Data("a".utf8))
      #expect(await loader.loadWithHandler(session) == Data("a".utf8))
    }
    #expect(now == .zero)
    ticking.cancel()
  }

  @Test func `chunks come at their exact instants`() async throws {
    let parts = ["a", "b", "c"].map { Data($0.utf8) }
    http.stub(.get, "/", returns: .chunks(parts, every: .seconds(2)).delayed(by: .seconds(1)))
    _ = try await http.makeSession().data(from: url)
    #expect(now == .seconds(5))
  }

  @Test func `requests wait in parallel`() async throws {
    http.stub(.get, "/", where: .query("a"), returns: .text("a").delayed(by: .seconds(20)))
    http.stub(.get, "/", where: .query("b"), returns: .text("b").delayed(by: .seconds(10)))
    let session = http.makeSession()
    let ends = try await withThrowingTaskGroup { group in
      for name in ["a", "b"] {
        group.addTask {
          let (data, _) = try await session.data(from: URL(string: "https://example.com/?\(name)")!)
          return (String(decoding: data, as: UTF8.self), time.now.offset)
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(ends.map(\.0) == ["b", "a"])
    #expect(ends.map(\.1) == [.seconds(10), .seconds(20)])
  }

  // MARK: Timeouts

  private func outcome(_ request: URLRequest, _ session: URLSession) async -> URLError.Code? {
    do {
      _ = try await session.data(for: request)
      return nil
    } catch {
      return (error as? URLError)?.code
    }
  }

  @Test func `a request times out exactly at its timeout`() async throws {
    http.stub(.get, "/", returns: .text("a").delayed(by: .seconds(5) - .nanoseconds(1))).once()
      .then(.text("a").delayed(by: .seconds(5) + .nanoseconds(1)))
    var request = URLRequest(url: url)
    request.timeoutInterval = 5
    let session = http.makeSession()
    #expect(await outcome(request, session) == nil)
    #expect(now == .seconds(5) - .nanoseconds(1))
    #expect(await outcome(request, session) == .timedOut)
    #expect(now == .seconds(10) - .nanoseconds(1))
  }

  @Test
  func `a request without an answer times out after a minute, or after the timeout of the session`()
    async throws
  {
    let stub = http.stub(.get, "/", returns: .never)
    #expect(await outcome(URLRequest(url: url), http.makeSession()) == .timedOut)
    #expect(now == .seconds(60))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = 7
    let session = http.makeSession(configuration: configuration)
    #expect(await outcome(URLRequest(url: url), session) == .timedOut)
    #expect(now == .seconds(67))
    #expect(stub.cancellationCount == 2)
  }

  @Test(arguments: [TimeInterval.infinity, .nan, .greatestFiniteMagnitude, 0, -1])
  func `an invalid timeout means no timeout`(timeout: TimeInterval) async throws {
    http.stub(.get, "/", returns: .text("late").delayed(by: .seconds(1_000_000)))
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = timeout
    configuration.timeoutIntervalForRequest = timeout
    let session = http.makeSession(configuration: configuration)
    #expect(await outcome(URLRequest(url: url), session) == nil)
    var request = URLRequest(url: url)
    request.timeoutInterval = timeout
    #expect(await outcome(request, session) == nil)
  }

  @Test func `each chunk restarts the timeout`() async throws {
    let parts = ["a", "b", "c"].map { Data($0.utf8) }
    http.stub(.get, "/", returns: .chunks(parts, every: .seconds(4))).once()
      .then(.chunks(parts, every: .seconds(6)))
    var request = URLRequest(url: url)
    request.timeoutInterval = 5
    #expect(await outcome(request, http.makeSession()) == nil)
    #expect(now == .seconds(8))
    #expect(await outcome(request, http.makeSession()) == .timedOut)
    #expect(now == .seconds(13))
  }

  @Test func `the whole request has the timeout for resources`() async throws {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForResource = 10
    http.stub(
      .get, "/", returns: .chunks(Array(repeating: Data("a".utf8), count: 9), every: .seconds(4)))
    let session = http.makeSession(configuration: configuration)
    #expect(await outcome(URLRequest(url: url), session) == .timedOut)
    #expect(now == .seconds(10))
  }

  @Test func `a timeout cancels the handler`() async throws {
    http.stub(.get, "/") { [time] _ in
      do { try await time.sleep(for: .seconds(1_000)) } catch is CancellationError {
        #expect(time.now.offset == .seconds(60))
        throw CancellationError()
      }
      return .status(200)
    }
    #expect(await outcome(URLRequest(url: url), http.makeSession()) == .timedOut)
  }

  // MARK: Retries and deadlines

  @Test(.virtualStandardClocks) func `a retry over a flaky network is exact`() async throws {
    let stub = http.stub(.get, "/", returns: .failing(URLError(.networkConnectionLost))).times(2)
      .then(.status(503).delayed(by: .seconds(2))).once()
      .then(.json(["sunny"]))
    let session = http.makeSession()
    let forecast = try await retry(
      maximumAttempts: 5, backoff: .exponential(base: .seconds(1), cap: .seconds(60))
    ) {
      let (data, response) = try await session.data(from: url)
      guard (response as? HTTPURLResponse)?.statusCode == 200 else {
        throw URLError(.badServerResponse)
      }
      return try JSONDecoder().decode([String].self, from: data)
    }
    #expect(forecast == ["sunny"])
    #expect(stub.callCount == 4)
    #expect(now == .seconds(1 + 2 + 2 + 4))
  }

  @Test(.virtualStandardClocks, arguments: 0..<20)
  func `a deadline cancels a request at its exact instant`(
    _: Int
  ) async throws {
    let stub = http.stub(.get, "/", returns: .text("late").delayed(by: .seconds(30)))
    let session = http.makeSession()
    let ticking = Task { while true { try await time.sleep(for: .microseconds(1)) } }
    await #expect(throws: (any Error).self) {
      try await withDeadline(ContinuousClock.now + .milliseconds(3)) {
        try await session.data(from: url)
      }
    }
    #expect(now == .milliseconds(3))
    #expect(stub.cancellationCount == 1)
    ticking.cancel()
  }
}

@Suite(.doubles) struct LeftoverRequestTests {
  @Test func `a leftover request ends with its scope`() async throws {
    let ends = AsyncStream<URLError.Code?>.makeStream()
    try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore)) { _ in
      let http = MockHTTP()
      let stub = http.stub(.get, "/", returns: .never)
      http.makeSession().dataTask(with: url) {
        ends.continuation.yield(($2 as? URLError)?.code)
      }.resume()
      try await stub.wait(forCallCount: 1)
    }
    for await end in ends.stream {
      #expect(end == .cancelled)
      return
    }
  }
}
