/// Where the places come from.
public protocol PlaceLoader: Sendable {
  /// All places there are, open or not, in any order.
  func places() async throws -> [Place]
}
