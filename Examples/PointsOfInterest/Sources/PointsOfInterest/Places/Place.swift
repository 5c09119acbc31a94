/// A place that the app can feature.
public struct Place: Hashable, Identifiable, Sendable {
  /// The name of the place, which is unique.
  public let name: String

  /// The kind of place.
  public let kind: PlaceKind

  /// The location of the place.
  public let coordinate: Coordinate

  /// The opening hours, in local time.
  public let hours: OpeningHours

  /// The name, which is unique.
  public var id: String { name }

  /// Creates a place.
  public init(name: String, kind: PlaceKind, coordinate: Coordinate, hours: OpeningHours) {
    self.name = name
    self.kind = kind
    self.coordinate = coordinate
    self.hours = hours
  }
}

// MARK: - Codable

extension Place: Codable {
  private enum CodingKeys: CodingKey {
    case name, kind, latitude, longitude, hours
  }

  /// Decodes a place whose latitude and longitude are two numbers beside the name.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    name = try container.decode(String.self, forKey: .name)
    kind = try container.decode(PlaceKind.self, forKey: .kind)
    hours = try container.decode(OpeningHours.self, forKey: .hours)

    let latitude = try container.decode(Double.self, forKey: .latitude)
    let longitude = try container.decode(Double.self, forKey: .longitude)
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      throw DecodingError.dataCorruptedError(
        forKey: .latitude, in: container,
        debugDescription: "\(latitude), \(longitude) is not a point on Earth")
    }
    self.coordinate = coordinate
  }

  /// Encodes the latitude and the longitude as two numbers beside the name.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(name, forKey: .name)
    try container.encode(kind, forKey: .kind)
    try container.encode(coordinate.latitude, forKey: .latitude)
    try container.encode(coordinate.longitude, forKey: .longitude)
    try container.encode(hours, forKey: .hours)
  }
}
