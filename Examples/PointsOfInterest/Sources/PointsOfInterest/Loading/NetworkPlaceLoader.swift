public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The places that a server returns.
public struct NetworkPlaceLoader: PlaceLoader {
  private let loader: APIRequestLoader<PlacesRequest>
  private let location: Coordinate

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - server: The address of the server; the loader adds `/places` to its path.
  ///   - location: The location of the user.
  ///   - urlSession: The session that sends the requests.
  public init(
    server: URL, location: Coordinate = SanJose.conventionCenter, urlSession: URLSession = .shared
  ) {
    loader = APIRequestLoader(PlacesRequest(server: server), urlSession: urlSession)
    self.location = location
  }

  /// Loads the places from the server.
  public func places() async throws -> [Place] { try await loader.load(location) }
}
