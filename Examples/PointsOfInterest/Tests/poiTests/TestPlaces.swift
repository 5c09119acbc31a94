import PointsOfInterest

/// A place at the convention center, always open.
func place(_ name: String, _ kind: PlaceKind) -> Place {
  Place(name: name, kind: kind, coordinate: SanJose.conventionCenter, hours: .always)
}
