import Foundation
import PointsOfInterest
import Testing

@Suite struct BundledPlaceLoaderTests {
  @Test func `there are at least forty places, and some of every kind`() async throws {
    let places = try await BundledPlaceLoader().places()
    #expect(places.count >= 40)
    #expect(Set(places.map(\.kind)) == Set(PlaceKind.allCases))
  }

  @Test func `no two places share a name`() async throws {
    let places = try await BundledPlaceLoader().places()
    #expect(Set(places.map(\.id)).count == places.count)
  }

  @Test func `every place is within three kilometers of the convention center`() async throws {
    for place in try await BundledPlaceLoader().places() {
      #expect(place.coordinate.distance(to: SanJose.conventionCenter) < 3000, "\(place.name)")
    }
  }

  @Test func `every place is open at some time, and only hotels and streets are always open`()
    async throws
  {
    for place in try await BundledPlaceLoader().places() {
      let hours = (0..<168).count { hour in
        LocalTime(Weekday.allCases[hour / 24], hour: hour % 24, minute: 0)
          .map(place.hours.isOpen(at:)) ?? false
      }
      #expect(hours > 0, "\(place.name)")
      #expect(hours < 168 || [.hotel, .landmark].contains(place.kind), "\(place.name)")
    }
  }
}
