#if Live
  import Foundation
  import PointsOfInterest
  import TestSupport
  import Testing

  @testable import poi

  /// `poi serve`, loaded by the app's real session, in real time.
  @Suite struct ServingTests {
    @Test func `the places of the server are those of the file`() async throws {
      let lines = try await withPlaceServer { url in
        let places = try await NetworkPlaceLoader(server: url).places()
        #expect(try await places == BundledPlaceLoader().places())
      }
      #expect(lines == ["GET /places 200\n"])
    }

    @Test func `a share of the answers are failures`() async throws {
      try await withPlaceServer(failures: 100) { url in
        await #expect(throws: APIError.status(500)) {
          try await NetworkPlaceLoader(server: url).places()
        }
      }
    }

    @Test func `other paths do not exist`() async throws {
      try await withPlaceServer { url in
        await #expect(throws: APIError.status(404)) {
          try await NetworkPlaceLoader(server: url.appending(path: "other")).places()
        }
      }
    }

    @Test func `a port that is in use is named`() async throws {
      try await withPlaceServer { url in
        let port = try #require(url.port.map(UInt16.init))
        let failure = await #expect(throws: ServingFailure.portInUse(port)) {
          try await PlaceServer(places: [], port: port, write: { _ in }).run()
        }
        #expect(
          failure.map { "\($0)" } == "the port \(port) is in use; choose another one with '--port'")
      }
    }

    /// Runs a server at a free port, and returns the lines that it has written for its answers.
    @discardableResult
    private func withPlaceServer(
      failures: Int = 0, _ body: (_ url: URL) async throws -> Void
    ) async throws -> [String] {
      let (lines, line) = AsyncStream.makeStream(of: String.self)
      let server = PlaceServer(
        places: try await BundledPlaceLoader().places(), port: 0, failures: failures,
        write: { line.yield($0) })
      let running = Task {
        defer { line.finish() }
        try await server.run()
      }
      for await first in lines {
        let address = try #require(first.firstMatch(of: /http:[^ ]+/)).output
        try await body(try #require(URL(string: String(address))))
        break
      }
      running.cancel()
      try await running.value
      return await lines.reduce(into: []) { $0.append($1) }
    }
  }
#endif
