import EscapementDoubles

/// The classes of the talk: one that answers through its delegate, and one that asks it.
struct Location: Sendable, Equatable {
  var latitude: Double
  var longitude: Double
}

protocol LocationFetcherDelegate: AnyObject {
  func locationFetcher(_ fetcher: any LocationFetcher, didUpdateLocations locations: [Location])
}

protocol LocationFetcher: AnyObject {
  var locationFetcherDelegate: (any LocationFetcherDelegate)? { get set }
  func requestLocation()
}

/// The code under test.
final class CurrentLocationProvider: LocationFetcherDelegate {
  private let fetcher: any LocationFetcher
  private var callback: ((Location?) -> Void)?

  init(fetcher: any LocationFetcher) {
    self.fetcher = fetcher
    fetcher.locationFetcherDelegate = self
  }

  func checkCurrentLocation(_ callback: @escaping (Location?) -> Void) {
    self.callback = callback
    fetcher.requestLocation()
  }

  func locationFetcher(_ fetcher: any LocationFetcher, didUpdateLocations locations: [Location]) {
    callback?(locations.last)
    callback = nil
  }
}

final class MockLocationFetcher: LocationFetcher {
  let requestLocationSpy: Spy<Void, Location, Never>
  let delegate: DelegateSpy<any LocationFetcherDelegate>

  init(log: CallLog? = nil) {
    requestLocationSpy = Spy(
      "requestLocation()", placeholder: Location(latitude: 0, longitude: 0), log: log)
    delegate = DelegateSpy("locationFetcherDelegate", log: log)
  }

  var locationFetcherDelegate: (any LocationFetcherDelegate)? {
    get { delegate.value }
    set { delegate.value = newValue }
  }

  func requestLocation() {
    let location = requestLocationSpy()
    delegate.tell("didUpdateLocations") {
      $0.locationFetcher(self, didUpdateLocations: [location])
    }
  }
}
