import EscapementDoubles
import PointsOfInterest

/// A location manager whose answers the test sends.
final class MockLocationFetcher: LocationFetcher {
  let requestLocationSpy = Spy<Void, Void, Never>("requestLocation()")
  let delegate = DelegateSpy<any LocationFetcherDelegate>("locationFetcherDelegate")

  var locationFetcherDelegate: (any LocationFetcherDelegate)? {
    get { delegate.value }
    set { delegate.value = newValue }
  }

  func requestLocation() { requestLocationSpy() }

  func find(_ locations: Coordinate...) {
    delegate.tell("didUpdateLocations") {
      $0.locationFetcher(self, didUpdateLocations: locations)
    }
  }
}
