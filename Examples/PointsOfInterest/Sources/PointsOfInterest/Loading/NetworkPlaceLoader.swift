public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The places that a server knows.
public struct NetworkPlaceLoader: PlaceLoader {
  private let loader: APIRequestLoader<PlacesRequest>
  private let location: Coordinate

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - server: Where the server is; `/places` is added to its path.
  ///   - location: Where the user is.
  ///   - urlSession: What sends the requests.
  public init(
    server: URL, location: Coordinate = SanJose.conventionCenter, urlSession: URLSession = .shared
  ) {
    loader = APIRequestLoader(PlacesRequest(server: server), urlSession: urlSession)
    self.location = location
  }

  /// Asks the server.
  public func places() async throws -> [Place] { try await loader.load(location) }
}
