import PointsOfInterest

/// A loader that fails some times before it succeeds, and notes when it was asked.
@MainActor
final class FlakyPlaceLoader: PlaceLoader {
  /// How often it will still fail.
  var failures: Int
  /// When it was asked, since it was created.
  private(set) var attempts: [Duration] = []
  private let flaky: [Place]
  private let start = ContinuousClock.now

  init(_ places: [Place], failures: Int) {
    flaky = places
    self.failures = failures
  }

  @MainActor func places() async throws -> [Place] {
    attempts.append(start.duration(to: .now))
    guard failures == 0 else {
      failures -= 1
      throw Down()
    }
    return flaky
  }

  private struct Down: Error {}
}
