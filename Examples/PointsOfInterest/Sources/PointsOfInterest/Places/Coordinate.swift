import Foundation

/// A point on the surface of the Earth, in degrees.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, from -90 to 90.
  public let latitude: Double

  /// Degrees east of Greenwich, from -180 to 180.
  public let longitude: Double

  /// Creates a point, or returns `nil` if a value is not finite or out of range.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The great-circle distance in meters, by the haversine formula.
  ///
  /// The formula treats the Earth as a sphere, with an error of at most 0.6 %.
  public func distance(to other: Coordinate) -> Double {
    let meanEarthRadius = 6_371_009.0
    let halfLatitude = radians(other.latitude - latitude) / 2
    let halfLongitude = radians(other.longitude - longitude) / 2
    let haversine =
      sin(halfLatitude) * sin(halfLatitude)
      + cos(radians(latitude)) * cos(radians(other.latitude))
      * sin(halfLongitude) * sin(halfLongitude)
    return 2 * meanEarthRadius * asin(min(1, haversine.squareRoot()))
  }

  private func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
}
