package import PointsOfInterest

/// A loader that fails a number of times before it succeeds, and records when it was called.
@MainActor
package final class FlakyPlaceLoader: PlaceLoader {
  /// The number of failures that remain.
  package var failures: Int
  /// The times of the calls, since the loader was created.
  package private(set) var attempts: [Duration] = []
  private let flaky: [Place]
  private let start = ContinuousClock.now

  package init(_ places: [Place], failures: Int) {
    flaky = places
    self.failures = failures
  }

  @MainActor package func places() async throws -> [Place] {
    attempts.append(start.duration(to: .now))
    guard failures == 0 else {
      failures -= 1
      throw Down()
    }
    return flaky
  }

  private struct Down: Error {}
}
