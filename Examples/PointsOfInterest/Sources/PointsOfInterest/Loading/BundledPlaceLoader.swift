import Foundation

/// The places around the convention center that ship with the app.
///
/// Their opening hours are approximate.
public struct BundledPlaceLoader: PlaceLoader {
  private let bundled: [Place]

  /// Reads the bundled file once.
  ///
  /// - Throws: `CocoaError` if the file is missing; `DecodingError` if it is malformed.
  public init() throws {
    guard let url = Bundle.module.url(forResource: "places", withExtension: "json") else {
      throw CocoaError(.fileNoSuchFile)
    }
    bundled = try JSONDecoder().decode(PlaceFile.self, from: Data(contentsOf: url)).places
  }

  /// The places in the file.
  public func places() async throws -> [Place] { bundled }
}
