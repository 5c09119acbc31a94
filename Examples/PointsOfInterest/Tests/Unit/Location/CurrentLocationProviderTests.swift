import EscapementDoubles
import PointsOfInterest
import TestSupport
import Testing

@Suite struct CurrentLocationProviderTests {
  private let fetcher = MockLocationFetcher()
  private let center = SanJose.conventionCenter

  @Test func `the provider answers when the fetcher has found the user`() throws {
    let provider = CurrentLocationProvider(fetcher: fetcher, places: try threePlaces())
    var answers: [String?] = []
    provider.checkCurrentLocation { answers.append($0?.name) }
    #expect(fetcher.requestLocationSpy.calls.count == 1)
    #expect(answers == [])

    fetcher.find(center, try place("", north: 2.1).coordinate)
    #expect(answers == ["middle"])
    fetcher.find(try place("", north: 1).coordinate)
    #expect(answers == ["middle"])
  }

  @Test func `no place is within fifty meters`() throws {
    let provider = CurrentLocationProvider(fetcher: fetcher, places: try threePlaces())
    var answers: [String?] = []
    provider.checkCurrentLocation { answers.append($0?.name) }
    fetcher.find(center)
    provider.checkCurrentLocation { answers.append($0?.name) }
    fetcher.find()
    #expect(answers == [nil, nil])
  }

  @Test func `two checks that wait get the same answer`() throws {
    let provider = CurrentLocationProvider(fetcher: fetcher, places: try threePlaces())
    var answers: [String?] = []
    provider.checkCurrentLocation { answers.append($0?.name) }
    provider.checkCurrentLocation { answers.append($0?.name) }
    fetcher.find(try place("", north: 3).coordinate)
    #expect(answers == ["far", "far"])
  }

  @Test func `a fetcher does not keep its delegate alive`() {
    expectHeldWeakly(CurrentLocationProvider(fetcher: fetcher, places: [])) {
      fetcher.locationFetcherDelegate = $0
    }
  }
}
