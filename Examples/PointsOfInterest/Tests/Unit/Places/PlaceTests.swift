import Foundation
import PointsOfInterest
import Testing

@Suite struct PlaceTests {
  @Test func `a place is decoded from JSON`() throws {
    let place = try decode(kind: "bar", latitude: 37.33, hours: "Fr 17:00-02:00")
    #expect(place.name == "Club")
    #expect(place.kind == .bar)
    #expect(place.coordinate == Coordinate(latitude: 37.33, longitude: -121.89))
    #expect(try place.hours == OpeningHours("Fr 17:00-02:00"))
  }

  @Test func `a place that is encoded and decoded stays the same`() throws {
    let place = try decode(kind: "bar", latitude: 37.33, hours: "Mo-Th 11:00-22:00; Fr 17:00-02:00")
    let data = try JSONEncoder().encode(place)
    #expect(try JSONDecoder().decode(Place.self, from: data) == place)
  }

  @Test(arguments: [
    ("pub", 37.33, "24/7"),
    ("bar", 137.33, "24/7"),
    ("bar", 37.33, "at night"),
  ])
  func `a malformed place is refused`(kind: String, latitude: Double, hours: String) {
    #expect(throws: DecodingError.self) {
      try decode(kind: kind, latitude: latitude, hours: hours)
    }
  }

  private func decode(kind: String, latitude: Double, hours: String) throws -> Place {
    let json = """
      {"name": "Club", "kind": "\(kind)", "latitude": \(latitude), "longitude": -121.89,
       "hours": "\(hours)"}
      """
    return try JSONDecoder().decode(Place.self, from: Data(json.utf8))
  }
}
