public import Foundation

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// One kind of request to a server: how it is written, and how the answer is read.
///
/// Both are plain functions, which can be tested without any network.
public protocol APIRequest: Sendable {
  /// What a request is about.
  associatedtype RequestData

  /// What the answer says.
  associatedtype ResponseData

  /// Writes a request.
  func makeRequest(from data: RequestData) throws -> URLRequest

  /// Reads the body of an answer.
  func parseResponse(data: Data) throws -> ResponseData
}
