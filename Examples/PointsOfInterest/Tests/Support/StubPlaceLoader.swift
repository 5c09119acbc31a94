package import PointsOfInterest

/// A loader with a delay and a failure that the test chooses.
///
/// A cancellation ends the delay, but not with an error.
@MainActor
package final class StubPlaceLoader: PlaceLoader {
  package var delay: Duration?
  package var isDown = false
  private let stub: [Place]

  package init(_ places: [Place]) {
    stub = places
  }

  @MainActor package func places() async throws -> [Place] {
    if let delay { try? await Task.sleep(for: delay) }
    guard !isDown else { throw Down() }
    return stub
  }

  private struct Down: Error {}
}
