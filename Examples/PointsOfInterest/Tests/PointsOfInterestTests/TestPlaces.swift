import PointsOfInterest

/// A place some thousandths of a degree north of the convention center.
func place(_ name: String, north thousandths: Double, hours: String = "24/7") throws -> Place {
  let center = SanJose.conventionCenter
  let latitude = center.latitude + thousandths / 1000
  return Place(
    name: name, kind: .cafe,
    coordinate: Coordinate(latitude: latitude, longitude: center.longitude)!,
    hours: try OpeningHours(hours))
}

/// Three places that are always open, not in the order of their distance.
func threePlaces() throws -> [Place] {
  [try place("far", north: 3), try place("near", north: 1), try place("middle", north: 2)]
}
