public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A kind of request to a server: makes the request, and parses the response.
///
/// Both methods are plain functions, so a test needs no network.
public protocol APIRequest: Sendable {
  /// The value from which a request is made.
  associatedtype RequestData

  /// The value that a response contains.
  associatedtype ResponseData

  /// Makes a request.
  func makeRequest(from data: RequestData) throws -> URLRequest

  /// Parses the body of a response.
  func parseResponse(data: Data) throws -> ResponseData
}
