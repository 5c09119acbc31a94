import EscapementMockHTTP
import EscapementMockServer
import Foundation
import PointsOfInterest
import TestSupport
import Testing

/// The app with its real session, and a server on this machine.
@Suite struct LoadingTests {
  @Test func `places are loaded from a real server`() async throws {
    try await withMockServer { server in
      let stub = server.stub(.get, "/api/places", returns: .json(PlaceFile.park))
      let loader = NetworkPlaceLoader(server: server.url.appending(path: "api"))
      let places = try await loader.places()
      #expect(places.map(\.name) == ["Park"])
      #expect(stub.requests.map { $0["longitude"] } == ["-121.888"])
    }
  }

  @Test func `a broken connection is an error, and the next request succeeds`()
    async throws
  {
    try await withMockServer { server in
      server.stub(.get, "/places", returns: .connectionReset).then(.json(PlaceFile.park))
      let loader = NetworkPlaceLoader(server: server.url)
      await #expect(throws: URLError.self) { try await loader.places() }
      let places = try await loader.places()
      #expect(places.count == 1)
    }
  }
}
