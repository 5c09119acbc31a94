/// A ``Lease`` ended while its holder still needed it.
public struct LeaseLostError: Error, CustomStringConvertible {
  /// The name of the lease.
  public let name: String
  /// The token that the holder had.
  public let token: FencingToken
  /// The error of the body after its cancellation; `nil` if it had ended before.
  public let bodyError: (any Error)?

  /// Creates an error, for a test or a lease of your own.
  public init(name: String, token: FencingToken, bodyError: (any Error)? = nil) {
    self.name = name
    self.token = token
    self.bodyError = bodyError
  }

  /// The event, its likely cause, and the remedy.
  public var description: String {
    """
    The lease '\(name)' with the token \(token) was lost before its holder had finished. The store did not \
    answer for the duration of the lease, or this process did not run for so long, or the store has lost its \
    latest writes. Another replica may have the lease now. If this happens in normal operation, give the lease a longer duration.
    """
  }
}
