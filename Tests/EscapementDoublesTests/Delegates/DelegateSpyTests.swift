import EscapementDoubles
import TestSupport
import Testing

@Suite struct DelegateSpyTests {
  let log = CallLog()
  let fetcher: MockLocationFetcher
  let cupertino = Location(latitude: 37.3293, longitude: -121.8893)

  init() {
    fetcher = MockLocationFetcher(log: log)
    fetcher.requestLocationSpy.returns(cupertino)
  }

  @Test func `the code under test gets the answer through its delegate`() {
    let provider = CurrentLocationProvider(fetcher: fetcher)
    var locations: [Location?] = []
    provider.checkCurrentLocation { locations.append($0) }
    #expect(locations == [cupertino])
    #expect(fetcher.delegate.told == ["didUpdateLocations"])
    #expect(log.names == ["requestLocation()", "didUpdateLocations"])
  }

  @Test func `the delegate that was set can be read`() {
    let provider = CurrentLocationProvider(fetcher: fetcher)
    #expect(fetcher.locationFetcherDelegate === provider)
    fetcher.locationFetcherDelegate = nil
    #expect(fetcher.locationFetcherDelegate == nil)
  }

  @Test func `a message without a delegate fails the test`() {
    let issues = issues { fetcher.requestLocation() }
    #expect(issues.count == 1)
    #expect(
      issues.first?.message.hasPrefix(
        "'didUpdateLocations' could not be sent to 'locationFetcherDelegate', because no delegate")
        == true)
    #expect(fetcher.delegate.told == [])
    #expect(log.names == ["requestLocation()"])
  }

  @Test func `a message after the delegate was set to nil fails the test`() {
    let provider = CurrentLocationProvider(fetcher: fetcher)
    fetcher.locationFetcherDelegate = nil
    let issues = issues { provider.checkCurrentLocation { _ in } }
    #expect(issues.first?.message.contains("because no delegate is set") == true)
  }

  @Test func `the failure says whether the delegate has been released`() {
    _ = CurrentLocationProvider(fetcher: fetcher)
    let issues = issues { fetcher.requestLocation() }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("because the delegate has been released") == true)
  }

  @Test func `the failure is at the line that created the spy`() {
    let line = #line + 1
    let delegate = DelegateSpy<any LocationFetcherDelegate>()
    let issues = issues { delegate.tell("didFail") { _ in } }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.hasPrefix("'didFail' could not be sent to 'delegate'") == true)
  }
}
