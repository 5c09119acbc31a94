package import PointsOfInterest

/// A store in memory, whose disk the test may fill.
@MainActor
package final class MemoryPlaceStore: PlaceStore {
  package var isFull = false
  package private(set) var stored: [Place]

  package init(_ stored: [Place] = []) {
    self.stored = stored
  }

  @MainActor package func places() async throws -> [Place] { stored }

  @MainActor package func replacePlaces(with places: [Place]) async throws {
    guard !isFull else { throw PlaceStoreError.diskIsFull }
    stored = places
  }
}
