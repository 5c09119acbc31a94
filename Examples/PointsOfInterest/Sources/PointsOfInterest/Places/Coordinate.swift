import Foundation

/// A point on the surface of the Earth, in degrees.
public struct Coordinate: Hashable, Sendable {
  /// Degrees north of the equator, from -90 to 90.
  public let latitude: Double

  /// Degrees east of Greenwich, from -180 to 180.
  public let longitude: Double

  /// Creates a point, or returns `nil` where a value is not finite or out of range.
  public init?(latitude: Double, longitude: Double) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
    self.latitude = latitude
    self.longitude = longitude
  }

  /// The length in meters of the shortest way over the ground, by the haversine formula.
  ///
  /// It takes the Earth for a sphere, which is off by at most 0.6 %.
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
