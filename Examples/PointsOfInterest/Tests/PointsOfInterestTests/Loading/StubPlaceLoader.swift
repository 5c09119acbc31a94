import PointsOfInterest

/// A loader with a delay and a failure that the test chooses.
///
/// A cancellation ends the delay, but not with an error.
@MainActor
final class StubPlaceLoader: PlaceLoader {
  var delay: Duration?
  var isDown = false
  private let stub: [Place]

  init(_ places: [Place]) {
    stub = places
  }

  @MainActor func places() async throws -> [Place] {
    if let delay { try? await Task.sleep(for: delay) }
    guard !isDown else { throw Down() }
    return stub
  }

  private struct Down: Error {}
}
