// Code for a network that fails, is slow, or does not answer, and its tests.

import Escapement
import EscapementMockHTTP
import EscapementVirtualTime
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

struct Weather: Sendable {
  var session = URLSession.shared

  func forecast() async throws -> String {
    try await retry(maximumAttempts: 4, backoff: .exponential(base: .seconds(1), cap: .seconds(60)))
    {
      let (data, _) = try await session.data(from: URL(string: "https://example.com/forecast")!)
      return String(decoding: data, as: UTF8.self)
    }
  }
}

@Test func `a forecast survives a bad connection`() async throws {
  try await withVirtualTime { time in
    let http = MockHTTP()
    let stub = http.stub(.get, "/forecast", returns: .failing(URLError(.networkConnectionLost)))
      .times(2)
      .then(.text("Sunny").delayed(by: .seconds(30)))
    let forecast = try await Weather(session: http.makeSession()).forecast()
    #expect(forecast == "Sunny")
    #expect(stub.callCount == 3)
    #expect(time.now.offset == .seconds(1 + 2 + 30))
  }
}

@Test func `nobody waits for ever`() async throws {
  try await withVirtualTime { time in
    let http = MockHTTP()
    http.stub(.get, "/forecast", returns: .never)
    let session = http.makeSession()
    var request = URLRequest(url: URL(string: "https://example.com/forecast")!)
    request.timeoutInterval = 5
    do {
      _ = try await session.data(for: request)
      Issue.record("something came")
    } catch let error as URLError {
      #expect(error.code == .timedOut)
      #expect(time.now.offset == .seconds(5))
    }
  }
}

@Test func `leaving the screen cancels the request`() async throws {
  try await withVirtualTime { _ in
    let http = MockHTTP()
    let stub = http.stub(.get, "/forecast", returns: .never)
    let loading = Task { [session = http.makeSession()] in
      try await session.data(from: URL(string: "https://example.com/forecast")!)
    }
    try await stub.wait(forCallCount: 1)
    loading.cancel()
    try await stub.wait(forCancellationCount: 1)
  }
}
