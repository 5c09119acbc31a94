import EscapementDoubles
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
      request.timeoutInterval = 0.2
      let session = URLSession(configuration: .ephemeral)
      defer { session.finishTasksAndInvalidate() }
      let error = await #expect(throws: URLError.self) {
        _ = try await session.data(for: request)
      }
      #expect(error?.code == .timedOut)
      await stub.wait(forCancellationCount: 1)
    }
  }

  @Test func `a body drips in real time`() async throws {
    try await withMockServer { server in
      let bytes = "drip".utf8.map { Data([$0]) }
      server.stub(.get, "/", returns: .chunks(bytes, every: .milliseconds(20)))
      let session = URLSession(configuration: .ephemeral)
      defer { session.finishTasksAndInvalidate() }
      let start = ContinuousClock.now
      let (data, _) = try await session.data(from: server.url)
      #expect(String(decoding: data, as: UTF8.self) == "drip")
      #expect(start.duration(to: .now) >= .milliseconds(60))
    }
  }

  @Test func `a request on a connection in use does not wait for acknowledgements`() async throws {
    try await withMockServer { server in
      server.stub(.get, "/", returns: .text("quick"))
      let session = URLSession(configuration: .ephemeral)
      defer { session.finishTasksAndInvalidate() }
      var durations: [Duration] = []
      for _ in 0..<20 {
        let start = ContinuousClock.now
        _ = try await session.data(from: server.url)
        durations.append(start.duration(to: .now))
      }
      // Each would take 40 ms. The machine may be busy, but not all the time.
      #expect(durations.min()! < .milliseconds(20))
    }
  }
}
