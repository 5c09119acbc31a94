import PointsOfInterest
import Testing

@Suite struct CoordinateTests {
  @Test func `a minute of latitude is a nautical mile`() throws {
    let equator = try #require(Coordinate(latitude: 0, longitude: 0))
    let north = try #require(Coordinate(latitude: 1.0 / 60, longitude: 0))
    #expect(abs(equator.distance(to: north) - 1853.3) < 0.1)
    #expect(equator.distance(to: north) == north.distance(to: equator))
    #expect(equator.distance(to: equator) == 0)
  }

  @Test func `the other side of the Earth is half its circumference away`() throws {
    let here = try #require(Coordinate(latitude: 0, longitude: -90))
    let there = try #require(Coordinate(latitude: 0, longitude: 90))
    #expect(abs(here.distance(to: there) - .pi * 6_371_009) < 1)
  }

  @Test func `a coordinate out of range is refused`() {
    #expect(Coordinate(latitude: 90, longitude: -180) != nil)
    #expect(Coordinate(latitude: 90.001, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: -180.001) == nil)
    #expect(Coordinate(latitude: .nan, longitude: 0) == nil)
    #expect(Coordinate(latitude: 0, longitude: .infinity) == nil)
  }
}
