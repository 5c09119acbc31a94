import TestSupport
import Testing

@testable import PointsOfInterest

@Suite struct RotationTests {
  @Test func `the nearest place comes first, and again after the farthest`() throws {
    let places = try [place("far", north: 3), place("near", north: 1), place("middle", north: -2)]
    var rotation = try rotation(of: places)
    var names: [String?] = []
    for _ in 0..<4 {
      names.append(rotation.current?.name)
      rotation.moveOn()
    }
    #expect(names == ["near", "middle", "far", "near"])
  }

  @Test func `places at the same distance are in the order of their names`() throws {
    let rotation = try rotation(of: [place("b", north: 1), place("a", north: 1)])
    #expect(rotation.current?.name == "a")
  }

  @Test func `closed places are not in the rotation`() throws {
    let places = try [place("closed", north: 1, hours: "Mo 08:00-12:00"), place("open", north: 2)]
    var rotation = try rotation(of: places)
    #expect(rotation.count == 1)
    #expect(rotation.current?.name == "open")
    rotation.moveOn()
    #expect(rotation.current?.name == "open")
  }

  @Test func `without open places the rotation is empty`() throws {
    var rotation = try rotation(of: [place("closed", north: 1, hours: "Mo 08:00-12:00")])
    #expect(rotation.current == nil)
    rotation.moveOn()
    #expect(rotation.current == nil)
    #expect(rotation == Rotation())
  }

  /// The rotation on Monday at noon.
  private func rotation(of places: [Place]) throws -> Rotation {
    let noon = try #require(LocalTime(.monday, hour: 12, minute: 0))
    return Rotation(of: places, openAt: noon, near: SanJose.conventionCenter)
  }
}
