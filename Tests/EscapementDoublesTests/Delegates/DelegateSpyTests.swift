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

  @Test func `the code under test is told through its delegate`() {
    let provider = CurrentLocationProvider(fetcher: fetcher)
    var locations: [Location?] = []
    provider.checkCurrentLocation { locations.append($0) }
    #expect(locations == [cupertino])
    #expect(fetcher.delegate.told == ["didUpdateLocations"])
    #expect(log.names == ["requestLocation()", "didUpdateLocations"])
  }

  @Test func `what is set can be read`() {
    let provider = CurrentLocationProvider(fetcher: fetcher)
    #expect(fetcher.locationFetcherDelegate === provider)
    fetcher.locationFetcherDelegate = nil
    #expect(fetcher.locationFetcherDelegate == nil)
  }

  @Test func `to tell nobody is a failed test`() {
    let issues = issues { fetcher.requestLocation() }
    #expect(issues.count == 1)
    #expect(
      issues.first?.message.hasPrefix(
        "'locationFetcherDelegate' was to be told 'didUpdateLocations', but there is none.") == true
    )
    #expect(fetcher.delegate.told == [])
    #expect(log.names == ["requestLocation()"])
  }

  @Test func `so it is after the delegate has been set to nil`() {
    let provider = CurrentLocationProvider(fetcher: fetcher)
    fetcher.locationFetcherDelegate = nil
    let issues = issues { provider.checkCurrentLocation { _ in } }
    #expect(issues.first?.message.contains("but there is none") == true)
  }

  @Test func `a delegate that has been released is told apart`() {
    _ = CurrentLocationProvider(fetcher: fetcher)
    let issues = issues { fetcher.requestLocation() }
    #expect(issues.count == 1)
    #expect(issues.first?.message.contains("but it has been released") == true)
  }

  @Test func `the failure is at the line that made the delegate`() {
    let line = #line + 1
    let delegate = DelegateSpy<any LocationFetcherDelegate>()
    let issues = issues { delegate.tell("didFail") { _ in } }
    #expect(issues.map(\.line) == [line])
    #expect(issues.first?.message.hasPrefix("'delegate' was to be told 'didFail'") == true)
  }
}
