// Code for a network that fails, is slow, or does not answer, and its tests.

import Escapement
// snippet.hide
import EscapementMockHTTP
import EscapementVirtualTime
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// snippet.show

// snippet.model
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
// snippet.end

// snippet.retry
func forecastSurvivesABadConnection() async throws {
  try await withVirtualTime { time in
    let http = MockHTTP()
    let stub = http.stub(.get, "/forecast", returns: .failing(URLError(.networkConnectionLost)))
      .times(2)
      .then(.text("Sunny").delayed(by: .seconds(30)))
    let forecast = try await Weather(session: http.makeSession()).forecast()
    precondition(forecast == "Sunny")
    precondition(stub.callCount == 3)
    precondition(time.now.offset == .seconds(1 + 2 + 30))
  }
}
// snippet.end

// snippet.timeout
func nobodyWaitsForEver() async throws {
  try await withVirtualTime { time in
    let http = MockHTTP()
    http.stub(.get, "/forecast", returns: .never)
    let session = http.makeSession()
    var request = URLRequest(url: URL(string: "https://example.com/forecast")!)
    request.timeoutInterval = 5
    do {
      _ = try await session.data(for: request)
      preconditionFailure("something came")
    } catch let error as URLError {
      precondition(error.code == .timedOut)
      precondition(time.now.offset == .seconds(5))
    }
  }
}
// snippet.end

// snippet.cancel
func leavingTheScreenCancelsTheRequest() async throws {
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
// snippet.end

// snippet.hide
try await forecastSurvivesABadConnection()
try await nobodyWaitsForEver()
try await leavingTheScreenCancelsTheRequest()
