/// Tells which place the user is at.
public final class CurrentLocationProvider: LocationFetcherDelegate {
  /// The greatest distance from a place, in meters.
  public static let radius = 50.0

  private let fetcher: any LocationFetcher
  private let places: [Place]
  private var completions: [(Place?) -> Void] = []

  /// Creates a provider, which becomes the delegate of the fetcher.
  public init(fetcher: any LocationFetcher, places: [Place]) {
    self.fetcher = fetcher
    self.places = places
    fetcher.locationFetcherDelegate = self
  }

  /// Requests the location, and then passes the nearest place within ``radius``, or `nil` if there
  /// is none.
  public func checkCurrentLocation(completion: @escaping (Place?) -> Void) {
    completions.append(completion)
    fetcher.requestLocation()
  }

  /// Answers all checks that wait.
  public func locationFetcher(
    _ fetcher: any LocationFetcher, didUpdateLocations locations: [Coordinate]
  ) {
    let place = locations.last.flatMap(pointOfInterest)
    let waiting = completions
    completions = []
    for completion in waiting { completion(place) }
  }

  private func pointOfInterest(at location: Coordinate) -> Place? {
    places
      .map { (place: $0, distance: $0.coordinate.distance(to: location)) }
      .filter { $0.distance <= Self.radius }
      .min { $0.distance < $1.distance }?.place
  }
}
