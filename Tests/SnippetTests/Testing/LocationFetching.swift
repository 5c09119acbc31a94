// Code that gets answers through a delegate, and its tests.

import EscapementDoubles
import Testing

struct Location: Sendable, Equatable {
  var latitude: Double
  var longitude: Double
}

/// A class of a framework, which asks the user and the device, and answers later.
class LocationManager {
  weak var delegate: (any LocationManagerDelegate)?

  func requestLocation() { /* … */  }
}

protocol LocationManagerDelegate: AnyObject {
  func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location])
}

final class CurrentCity: LocationManagerDelegate {
  private let manager = LocationManager()
  private var callback: ((Bool) -> Void)?

  func isCupertino(_ callback: @escaping (Bool) -> Void) {
    self.callback = callback
    manager.delegate = self
    manager.requestLocation()
  }

  func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
    callback?(locations.first.map { abs($0.latitude - 37.32) < 0.1 } ?? false)
    callback = nil
  }
}

protocol LocationFetcher: AnyObject {
  var locationFetcherDelegate: (any LocationFetcherDelegate)? { get set }
  func requestLocation()
}

protocol LocationFetcherDelegate: AnyObject {
  func locationFetcher(_ fetcher: any LocationFetcher, didUpdateLocations locations: [Location])
}

extension LocationManager: LocationFetcher {
  var locationFetcherDelegate: (any LocationFetcherDelegate)? {
    get { delegate as? any LocationFetcherDelegate }
    set { delegate = newValue as? any LocationManagerDelegate }
  }
}

final class CurrentLocationProvider: LocationFetcherDelegate {
  private let fetcher: any LocationFetcher
  private var callback: ((Bool) -> Void)?

  init(fetcher: any LocationFetcher = LocationManager()) {
    self.fetcher = fetcher
    fetcher.locationFetcherDelegate = self
  }

  func isCupertino(_ callback: @escaping (Bool) -> Void) {
    self.callback = callback
    fetcher.requestLocation()
  }

  func locationFetcher(_ fetcher: any LocationFetcher, didUpdateLocations locations: [Location]) {
    callback?(locations.first.map { abs($0.latitude - 37.32) < 0.1 } ?? false)
    callback = nil
  }
}

extension CurrentLocationProvider: LocationManagerDelegate {
  func locationManager(_ manager: LocationManager, didUpdateLocations locations: [Location]) {
    locationFetcher(manager, didUpdateLocations: locations)
  }
}

final class MockLocationFetcher: LocationFetcher {
  let requestLocationSpy = Spy<Void, [Location], Never>("requestLocation()")
  let delegate = DelegateSpy<any LocationFetcherDelegate>("locationFetcherDelegate")

  var locationFetcherDelegate: (any LocationFetcherDelegate)? {
    get { delegate.value }
    set { delegate.value = newValue }
  }

  func requestLocation() {
    let locations = requestLocationSpy()
    delegate.tell("didUpdateLocations") {
      $0.locationFetcher(self, didUpdateLocations: locations)
    }
  }
}

@Test func `the city is known from the first location`() {
  let fetcher = MockLocationFetcher()
  fetcher.requestLocationSpy.sequence(
    .returns([Location(latitude: 37.33, longitude: -122.01)]), .returns([]))
  let provider = CurrentLocationProvider(fetcher: fetcher)
  var answers: [Bool] = []
  provider.isCupertino { answers.append($0) }
  provider.isCupertino { answers.append($0) }
  #expect(answers == [true, false])
  #expect(fetcher.requestLocationSpy.calls.count == 2)
}

@Test func `a location manager does not keep its delegate`() {
  let manager = LocationManager()
  expectHeldWeakly(CurrentLocationProvider()) { manager.locationFetcherDelegate = $0 }
}

protocol PlaceStore: Sendable {
  func place(id: Int) async throws -> String
  func save(_ place: String) async
}

final class MockPlaceStore: PlaceStore {
  let placeSpy: Spy<Int, String, any Error>
  let saveSpy: Spy<String, Void, Never>

  init(log: CallLog? = nil) {
    placeSpy = Spy("place(id:)", log: log)
    saveSpy = Spy("save(_:)", log: log)
  }

  func place(id: Int) async throws -> String { try await placeSpy(id) }
  func save(_ place: String) async { await saveSpy(place) }
}

@Test func `a place is loaded before it is saved`() async throws {
  let log = CallLog()
  let store = MockPlaceStore(log: log)
  store.placeSpy.returns("home")
  await store.save(try await store.place(id: 7))
  #expect(store.placeSpy.calls == [7])
  #expect(log.names == ["place(id:)", "save(_:)"])
}
