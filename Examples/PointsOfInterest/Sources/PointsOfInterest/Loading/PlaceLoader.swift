/// A source of places.
public protocol PlaceLoader: Sendable {
  /// All places, open or closed, in any order.
  func places() async throws -> [Place]
}
