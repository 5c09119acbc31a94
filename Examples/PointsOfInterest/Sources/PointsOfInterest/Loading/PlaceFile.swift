/// The JSON format of the bundled file and of the server's answers.
///
/// The loader ignores the note for human readers.
public struct PlaceFile: Codable, Sendable {
  /// The places in the file.
  public let places: [Place]

  /// Creates a file.
  public init(places: [Place]) {
    self.places = places
  }
}
