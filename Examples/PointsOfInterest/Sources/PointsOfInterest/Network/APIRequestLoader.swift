#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends requests of one kind, and parses the responses.
public struct APIRequestLoader<Request: APIRequest>: Sendable {
  private let request: Request
  private let urlSession: URLSession

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - request: The kind of request.
  ///   - urlSession: The session that sends the requests. A test passes one with stubs.
  public init(_ request: Request, urlSession: URLSession = .shared) {
    self.request = request
    self.urlSession = urlSession
  }

  /// Sends a request and waits for the response.
  ///
  /// - Throws: The errors of the request's two methods; ``APIError`` for a status other than 2xx;
  ///   the session's `URLError`.
  public func load(_ data: Request.RequestData) async throws -> Request.ResponseData {
    let (body, response) = try await urlSession.data(for: request.makeRequest(from: data))
    if let status = (response as? HTTPURLResponse)?.statusCode, !(200..<300).contains(status) {
      throw APIError.status(status)
    }
    return try request.parseResponse(data: body)
  }
}

/// The reason why a response cannot be used.
public enum APIError: Error, Equatable {
  /// The status of the response is not 2xx.
  case status(Int)
}

extension APIError: CustomStringConvertible {
  /// A message that names the status.
  public var description: String {
    switch self {
    case .status(let code): "The server answered with status \(code)."
    }
  }
}
