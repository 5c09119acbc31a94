import PointsOfInterest

/// A loader that takes as long as a test says, and fails when it is told to.
///
/// It is cut short by cancellation, but does not tell.
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
