import EscapementDoubles
import EscapementMockHTTP
import EscapementTesting
import Foundation
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Outside a scope stubs and timeouts take real time.
@Suite(.doubles) struct MockHTTPRealTimeTests {
  private let http = MockHTTP()
  private let url = URL(string: "https://example.com/")!

  @Test func `a delay takes real time`() async throws {
    http.stub(.get, "/", returns: .text("late").delayed(by: .milliseconds(30)))
    let start = ContinuousClock.now
    _ = try await http.makeSession().data(from: url)
    #expect(start.duration(to: .now) >= .milliseconds(30))
  }

  @Test func `so does a timeout`() async throws {
    http.stub(.get, "/", returns: .never)
    var request = URLRequest(url: url)
    request.timeoutInterval = 0.03
    let start = ContinuousClock.now
    await #expect(throws: URLError(.timedOut)) { try await http.makeSession().data(for: request) }
    #expect(start.duration(to: .now) >= .milliseconds(30))
  }
}
