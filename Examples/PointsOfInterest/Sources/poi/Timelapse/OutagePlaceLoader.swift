import Foundation
import PointsOfInterest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The places of a loader whose server is down now and then.
@MainActor
final class OutagePlaceLoader: PlaceLoader {
  private let loader: any PlaceLoader
  private var outages: Outages
  private var next: DateInterval?

  init(_ loader: any PlaceLoader, outages: Outages) {
    self.loader = loader
    self.outages = outages
    next = self.outages.next()
  }

  @MainActor func places() async throws -> [Place] {
    let now = Date()
    while let outage = next, outage.end <= now { next = outages.next() }
    if let outage = next, outage.start <= now { throw URLError(.cannotConnectToHost) }
    return try await loader.places()
  }
}
