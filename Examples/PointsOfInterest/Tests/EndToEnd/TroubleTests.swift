#if Live
  import EscapementMockHTTP
  import EscapementMockServer
  import EscapementTesting
  import Foundation
  import PointsOfInterest
  import TestSupport
  import Testing

  @testable import PlaceDatabase
  @testable import poi

  /// The whole app (session, manager, store on disk, output) with a server that makes trouble.
  @MainActor
  @Suite(.virtualTime) struct TroubleTests {
    private let folder: TemporaryFolder
    private let output = Output()

    /// An address at which no server listens.
    ///
    /// The system never gives such a port to a server that asks for any. It may give that of a
    /// server that has stopped to the next one, which may be another test's.
    private let addressWithoutServer = URL(string: "http://127.0.0.1:1")!

    init() throws {
      folder = try TemporaryFolder()
    }

    @Test func `the places are loaded, shown and stored`() async throws {
      try await withMockServer { server in
        server.stub(.get, "/places", returns: .json(PlaceFile.park))
        try await run(server.url)
      }
      #expect(output.lines.prefix(2) == ["loading the places", "1 open"])
      #expect(try await database().places().map(\.name) == ["Park"])
    }

    @Test func `500s: each attempt is told, and the stored places stay`() async throws {
      try await store("Old Park")
      try await withMockServer { server in
        server.stub(.get, "/places", returns: .status(500))
        try await run(server.url)
      }
      #expect(output.lines.first == "1 open, as stored")
      #expect(output.lines.contains("the places cannot be loaded, next attempt in 4 s"))
      let message = "could not refresh: the server answered with status 500 (4 attempts)"
      #expect(output.lines.contains(message))
      try await expectStored("Old Park")
    }

    @Test(arguments: ["<html>", "[]", #"{"places": [{"name": "Park"}]}"#])
    func `wrong JSON is told at once, and the stored places stay`(body: String) async throws {
      try await store("Old Park")
      try await withMockServer { server in
        server.stub(.get, "/places", returns: .text(body))
        try await run(server.url)
      }
      let message = try #require(output.lines.first { $0.hasPrefix("could not refresh") })
      #expect(message.hasPrefix("could not refresh: the answer cannot be read: "))
      try await expectStored("Old Park")
    }

    @Test(
      arguments: [
        .connectionReset, .connectionClosed, .json(PlaceFile.park).truncated(after: 20),
      ] as [HTTPStub.Response])
    func `a cut connection is told, and the next attempt succeeds`(
      cut: HTTPStub.Response
    ) async throws {
      try await store("Old Park")
      try await withMockServer { server in
        server.stub(.get, "/places", returns: cut).then(.json(PlaceFile.park))
        try await run(server.url)
      }
      #expect(output.lines.contains("the places cannot be loaded, next attempt in 1 s"))
      try await expectStored("Park")
    }

    @Test func `a connection that is always cut keeps the stored places`() async throws {
      try await store("Old Park")
      try await withMockServer { server in
        server.stub(.get, "/places", returns: .connectionReset)
        try await run(server.url)
      }
      let message = "could not refresh: the connection was lost (4 attempts)"
      #expect(output.lines.contains(message))
      try await expectStored("Old Park")
    }

    @Test func `a server that is too slow is told, and the stored places stay`() async throws {
      try await store("Old Park")
      try await withMockServer { server in
        server.stub(.get, "/places", returns: .never)
        try await run(server.url)
      }
      let message = "could not refresh: the server did not answer in time (4 attempts)"
      #expect(output.lines.contains(message))
      try await expectStored("Old Park")
    }

    @Test func `a server that is down is told, and the stored places are shown`() async throws {
      try await store("Old Park")
      try await run(addressWithoutServer)
      #expect(output.lines.first == "1 open, as stored")
      let message = "could not refresh: no server answers at this address (4 attempts)"
      #expect(output.lines.contains(message))
      try await expectStored("Old Park")
    }

    @Test func `without stored places a server that is down ends the run`() async throws {
      let failure = await #expect(throws: LoadingFailure.self) {
        try await run(addressWithoutServer)
      }
      #expect(
        failure?.description
          == "the places cannot be loaded: no server answers at this address (4 attempts)")
    }

    @Test func `a full disk is told, and the stored places stay`() async throws {
      try await store("Old Park")
      let many = PlaceFile(places: (0..<1000).map { place("place \($0)", .cafe) })
      try await withMockServer { server in
        server.stub(.get, "/places", returns: .json(many))
        try await run(server.url, pageLimit: 8)
      }
      #expect(output.lines.contains("1000 open"))
      #expect(output.lines.contains("the places cannot be stored: the disk is full"))
      try await expectStored("Old Park")
    }

    // MARK: The app

    private func run(_ server: URL, pageLimit: Int? = nil) async throws {
      let run = LiveRun(
        loader: NetworkPlaceLoader(server: server), store: try database(pageLimit: pageLimit),
        length: .seconds(60), returns: AsyncStream { _ in }, interruptions: AsyncStream { _ in },
        write: { output.text += $0 }, isHostingTests: false)
      try await run.untilEnd()
    }

    private func database(pageLimit: Int? = nil) throws -> PlaceDatabase {
      try PlaceDatabase(file: folder.file("places.sqlite"), pageLimit: pageLimit)
    }

    private func store(_ name: String) async throws {
      try await database().replacePlaces(with: [place(name, .park)])
    }

    private func expectStored(
      _ name: String, sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) async throws {
      let names = try await database().places().map(\.name)
      #expect(names == [name], sourceLocation: sourceLocation)
    }
  }

  @MainActor private final class Output {
    var text = ""

    /// The lines without their times of day.
    var lines: [String] { text.split(separator: "\n").map { String($0.dropFirst(10)) } }
  }
#endif
