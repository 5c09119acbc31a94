public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A request for the places near a point: `GET /places?latitude=…&longitude=…`.
///
/// The answer has the format of the bundled file.
public struct PlacesRequest: APIRequest {
  private let server: URL

  /// Creates the request for a server.
  public init(server: URL) {
    self.server = server
  }

  /// Makes a request for the places near a point.
  public func makeRequest(from location: Coordinate) -> URLRequest {
    URLRequest(
      url: server.appending(path: "places").appending(queryItems: [
        URLQueryItem(name: "latitude", value: "\(location.latitude)"),
        URLQueryItem(name: "longitude", value: "\(location.longitude)"),
      ]))
  }

  /// Parses the places.
  ///
  /// - Throws: `DecodingError`.
  public func parseResponse(data: Data) throws -> [Place] {
    try JSONDecoder().decode(PlaceFile.self, from: data).places
  }
}
