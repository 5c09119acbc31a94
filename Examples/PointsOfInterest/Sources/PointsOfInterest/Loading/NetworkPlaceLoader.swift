public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The places that a server returns.
public struct NetworkPlaceLoader: PlaceLoader {
  /// How long the loader waits for data of an answer, in seconds.
  public static let timeout: TimeInterval = 10

  private let loader: APIRequestLoader<PlacesRequest>
  private let location: Coordinate

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - server: The address of the server; the loader adds `/places` to its path.
  ///   - location: The location of the user.
  ///   - urlSession: The session that sends the requests.
  public init(
    server: URL, location: Coordinate = SanJose.conventionCenter,
    urlSession: URLSession = makeSession()
  ) {
    loader = APIRequestLoader(PlacesRequest(server: server), urlSession: urlSession)
    self.location = location
  }

  /// Creates a session that waits for ``timeout`` seconds.
  ///
  /// On Linux, the timeout of a `URLRequest` has no effect.
  public static func makeSession() -> URLSession {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.timeoutIntervalForRequest = timeout
    return URLSession(configuration: configuration)
  }

  /// Loads the places from the server.
  public func places() async throws -> [Place] { try await loader.load(location) }
}
