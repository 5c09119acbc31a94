package import PointsOfInterest

/// A place some thousandths of a degree north of the convention center.
package func place(_ name: String, north thousandths: Double, hours: String = "24/7") throws
  -> Place
{
  let center = SanJose.conventionCenter
  let latitude = center.latitude + thousandths / 1000
  return Place(
    name: name, kind: .cafe,
    coordinate: Coordinate(latitude: latitude, longitude: center.longitude)!,
    hours: try OpeningHours(hours))
}

/// Three places that are always open, not in the order of their distance.
package func threePlaces() throws -> [Place] {
  [try place("far", north: 3), try place("near", north: 1), try place("middle", north: 2)]
}

/// A place at the convention center, always open.
package func place(_ name: String, _ kind: PlaceKind) -> Place {
  Place(name: name, kind: kind, coordinate: SanJose.conventionCenter, hours: .always)
}

extension PlaceFile {
  /// An answer of a server, with one place that is always open.
  package static let park = PlaceFile(places: [TestSupport.place("Park", .park)])
}
