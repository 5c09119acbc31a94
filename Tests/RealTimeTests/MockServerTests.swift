#if MockServer
  import EscapementMockHTTP
  import EscapementMockServer
  import Foundation
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @Suite struct MockServerTests {
    @Test func `a session loses patience with a server that never answers`() async throws {
      try await withMockServer { server in
        let stub = server.stub(.get, "/", returns: .never)
        var request = URLRequest(url: server.url)
        request.timeoutInterval = 0.1
        let session = URLSession(configuration: .ephemeral)
        defer { session.finishTasksAndInvalidate() }
        // The time of a request begins before the server sees it, and on a busy machine may be over
        // by then: so it gets longer until the server has seen one.
        repeat {
          request.timeoutInterval *= 2
          let error = await #expect(throws: URLError.self) {
            _ = try await session.data(for: request)
          }
          #expect(error?.code == .timedOut)
        } while stub.callCount == 0
        try await stub.wait(forCancellationCount: 1)
      }
    }

    @Test func `a body drips in real time`() async throws {
      try await withMockServer { server in
        let bytes = "drip".utf8.map { Data([$0]) }
        server.stub(.get, "/", returns: .chunks(bytes, every: .milliseconds(20)))
        // Beside all other tests, the answer may take longer than the usual minute.
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 600
        let session = URLSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        let start = ContinuousClock.now
        let (data, _) = try await session.data(from: server.url)
        #expect(String(decoding: data, as: UTF8.self) == "drip")
        #expect(start.duration(to: .now) >= .milliseconds(60))
      }
    }
  }
#endif
