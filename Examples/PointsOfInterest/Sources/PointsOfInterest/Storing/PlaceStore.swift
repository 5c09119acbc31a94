/// The places that the app keeps between two launches.
public protocol PlaceStore: Sendable {
  /// The stored places, in any order; none before the first ``replacePlaces(with:)``.
  ///
  /// - Throws: ``PlaceStoreError``.
  func places() async throws -> [Place]

  /// Replaces all stored places, or keeps all of them if it throws.
  ///
  /// - Throws: ``PlaceStoreError``.
  func replacePlaces(with places: [Place]) async throws
}
