#if Live
  import Foundation
  import PointsOfInterest
  import TestSupport
  import Testing

  @testable import PlaceDatabase

  /// The store with a real file.
  @Suite struct PlaceDatabaseTests {
    private let folder: TemporaryFolder
    private var file: String { folder.file("places.sqlite") }

    init() throws {
      folder = try TemporaryFolder()
    }

    @Test func `a new store is empty, and its folder is created`() async throws {
      let places = try await PlaceDatabase(file: folder.file("new/places.sqlite")).places()
      #expect(places == [])
    }

    @Test func `the next launch finds the places, with kind and hours`() async throws {
      let bundled = try await BundledPlaceLoader().places()
      try await PlaceDatabase(file: file).replacePlaces(with: bundled)
      let stored = try await PlaceDatabase(file: file).places()
      #expect(Set(stored) == Set(bundled))
      #expect(stored.count == bundled.count)
    }

    @Test func `new places replace the old ones`() async throws {
      let database = try PlaceDatabase(file: file)
      try await database.replacePlaces(with: try threePlaces())
      try await database.replacePlaces(with: [place("new", .cafe)])
      #expect(try await database.places().map(\.name) == ["new"])
    }

    @Test func `a full disk keeps the old places`() async throws {
      let database = try PlaceDatabase(file: file, pageLimit: 8)
      try await database.replacePlaces(with: try threePlaces())
      let many = (0..<1000).map { place("place \($0)", .cafe) }
      await #expect(throws: PlaceStoreError.diskIsFull) {
        try await database.replacePlaces(with: many)
      }
      #expect(try await Set(database.places()) == Set(threePlaces()))
      #expect(try await Set(PlaceDatabase(file: file).places()) == Set(threePlaces()))
    }

    @Test func `places that share a name are refused, and the old ones stay`() async throws {
      let database = try PlaceDatabase(file: file)
      try await database.replacePlaces(with: try threePlaces())
      await #expect(throws: PlaceStoreError.self) {
        try await database.replacePlaces(with: [place("a", .cafe), place("a", .bar)])
      }
      #expect(try await database.places().count == 3)
    }

    @Test func `a file that is not a store is refused`() throws {
      try Data(repeating: 65, count: 5000).write(to: URL(filePath: file))
      #expect(throws: PlaceStoreError.damaged(file: file)) { try PlaceDatabase(file: file) }
    }

    @Test func `a folder in place of the file is refused`() throws {
      let path = folder.file("places.sqlite/inside")
      _ = try PlaceDatabase(file: path)
      #expect(throws: PlaceStoreError.inaccessible(file: file)) { try PlaceDatabase(file: file) }
      let below = path + "/below"
      #expect(throws: PlaceStoreError.inaccessible(file: below)) { try PlaceDatabase(file: below) }
    }
  }
#endif
