import EscapementMockHTTP
import EscapementTesting
import Foundation
import PointsOfInterest
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The app on a good and a bad network; no request leaves the process.
@Suite(.doubles) struct NetworkPlaceLoaderTests {
  private let http = MockHTTP()

  private var loader: NetworkPlaceLoader {
    NetworkPlaceLoader(server: URL(string: "https://example.com")!, urlSession: http.makeSession())
  }

  @Test func `the request names the location of the user`() async throws {
    http.stub(.get, "/places", where: .query("latitude", "37.3298"), returns: .json(PlaceFile.park))
    #expect(try await loader.places().map(\.name) == ["Park"])
  }

  @Test func `a status other than 2xx is an error`() async throws {
    http.stub(.get, "/places", returns: .status(503))
    await #expect(throws: APIError.status(503)) { try await loader.places() }
  }

  @Test func `a malformed answer is an error`() async throws {
    http.stub(.get, "/places", returns: .text("<html>"))
    await #expect(throws: DecodingError.self) { try await loader.places() }
  }

  @Test(.monday(at: 12)) @MainActor func `the app retries until the server is up`() async throws {
    let time = try #require(VirtualTime.current)
    http.stub(.get, "/places", returns: .failing(URLError(.networkConnectionLost)))
      .then(.status(503)).then(.json(PlaceFile.park))
    let subject = Subject(loader: loader)
    subject.manager.start()
    await time.advance(by: .seconds(60))
    #expect(
      subject.events == ["again in 1.0 seconds", "again in 2.0 seconds", "refreshed: Park of 1"])
    #expect(subject.times == [.seconds(0), .seconds(1), .seconds(3)])
    subject.manager.stop()
  }

  @Test(
    .monday(at: 12),
    arguments: [
      .text("<html>"), .json(["places": [["name": "Park"]]]), .status(404),
    ] as [HTTPStub.Response])
  @MainActor func `an answer that will be the same next time is not retried`(
    answer: HTTPStub.Response
  ) async throws {
    let time = try #require(VirtualTime.current)
    let stub = http.stub(.get, "/places", returns: answer)
    let subject = Subject(loader: loader)
    subject.manager.start()
    await time.advance(by: .seconds(60))
    #expect(stub.requests.count == 1)
    #expect(subject.events == ["failed", "refreshed: none of 0"])
    subject.manager.stop()
  }

  @Test(.monday(at: 12), arguments: [408, 429, 500, 503])
  @MainActor func `a status that may pass is retried`(status: Int) async throws {
    let time = try #require(VirtualTime.current)
    let stub = http.stub(.get, "/places", returns: .status(status))
    let subject = Subject(loader: loader)
    subject.manager.start()
    await time.advance(by: .seconds(60))
    #expect(stub.requests.count == 4)
    subject.manager.stop()
  }

  @Test(.monday(at: 12)) @MainActor func `a slow answer takes no real time`() async throws {
    let time = try #require(VirtualTime.current)
    http.stub(.get, "/places") { _ in
      try await Task.sleep(for: .seconds(9))
      return .json(PlaceFile.park)
    }
    let subject = Subject(loader: loader)
    subject.manager.start()
    await time.advance(by: .seconds(9) - .nanoseconds(1))
    #expect(subject.events == [])
    await time.advance(by: .nanoseconds(1))
    #expect(subject.events == ["refreshed: Park of 1"])
    subject.manager.stop()
  }
}
