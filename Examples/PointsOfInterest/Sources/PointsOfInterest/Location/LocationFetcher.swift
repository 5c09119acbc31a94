/// The part of a framework's location manager that the app uses; it answers through its delegate.
///
/// The manager adopts the protocol in an extension. A test passes a mock.
public protocol LocationFetcher: AnyObject {
  /// The object that gets the answers; the fetcher does not keep it alive.
  var locationFetcherDelegate: (any LocationFetcherDelegate)? { get set }

  /// Requests the location of the user once.
  func requestLocation()
}

/// Gets the answers of a ``LocationFetcher``.
public protocol LocationFetcherDelegate: AnyObject {
  /// The fetcher has found the user, the newest location last.
  func locationFetcher(_ fetcher: any LocationFetcher, didUpdateLocations locations: [Coordinate])
}
