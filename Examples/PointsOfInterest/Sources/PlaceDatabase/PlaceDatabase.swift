#if Live
  import Foundation
  public import GRDB
  public import PointsOfInterest

  /// A store of places in a file of SQLite.
  ///
  /// Each change is a transaction, so a full disk or the end of the process keeps the stored places.
  public final class PlaceDatabase: PlaceStore {
    private let file: String
    private let queue: DatabaseQueue

    /// Opens the store, and creates the file and its folder if they are missing.
    ///
    /// - Throws: `PlaceStoreError`.
    public convenience init(file: String) throws {
      try self.init(file: file, pageLimit: nil)
    }

    /// Opens a store whose disk has space for a number of pages.
    init(file: String, pageLimit: Int?) throws {
      var configuration = Configuration()
      if let pageLimit {
        configuration.prepareDatabase { database in
          try database.execute(sql: "PRAGMA max_page_count = \(pageLimit)")
        }
      }
      self.file = file
      do {
        try FileManager.default.createDirectory(
          at: URL(filePath: file).deletingLastPathComponent(), withIntermediateDirectories: true)
        queue = try DatabaseQueue(path: file, configuration: configuration)
        try Self.migrations.migrate(queue)
      } catch {
        throw PlaceStoreError(error, file: file)
      }
    }

    /// The stored places.
    public func places() async throws -> [Place] {
      do {
        return try await queue.read { try Place.fetchAll($0) }
      } catch {
        throw PlaceStoreError(error, file: file)
      }
    }

    /// Replaces all stored places in one transaction.
    public func replacePlaces(with places: [Place]) async throws {
      do {
        try await queue.write { database in
          try Place.deleteAll(database)
          for place in places { try place.insert(database) }
        }
      } catch {
        throw PlaceStoreError(error, file: file)
      }
    }

    private static var migrations: DatabaseMigrator {
      var migrator = DatabaseMigrator()
      migrator.registerMigration("places") { database in
        try database.create(table: "place") { table in
          table.primaryKey("name", .text)
          table.column("kind", .text).notNull()
          table.column("latitude", .double).notNull()
          table.column("longitude", .double).notNull()
          table.column("hours", .text).notNull()
        }
      }
      return migrator
    }
  }

  // The columns are the keys of the place's JSON.
  extension Place: FetchableRecord, PersistableRecord {}

  extension PlaceStoreError {
    /// Names the reason of an error of the database.
    fileprivate init(_ error: any Error, file: String) {
      switch error {
      case DatabaseError.SQLITE_FULL: self = .diskIsFull
      case DatabaseError.SQLITE_NOTADB, DatabaseError.SQLITE_CORRUPT, is DecodingError:
        self = .damaged(file: file)
      case DatabaseError.SQLITE_CANTOPEN, DatabaseError.SQLITE_READONLY, is CocoaError:
        self = .inaccessible(file: file)
      default: self = .failed("\(error)")
      }
    }
  }
#endif
