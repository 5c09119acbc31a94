#if canImport(FoundationNetworking)
  import Foundation
  public import FoundationNetworking
#else
  public import Foundation
#endif

/// Sends requests of one kind, and reads their answers.
public struct APIRequestLoader<Request: APIRequest>: Sendable {
  private let request: Request
  private let urlSession: URLSession

  /// Creates a loader.
  ///
  /// - Parameters:
  ///   - request: The kind of request.
  ///   - urlSession: What sends them; a test gives one that never reaches the network.
  public init(_ request: Request, urlSession: URLSession = .shared) {
    self.request = request
    self.urlSession = urlSession
  }

  /// Sends a request and waits for the answer.
  ///
  /// - Throws: What the request says of its data or the answer; ``APIError`` for a status other than
  ///   2xx; the session's `URLError`.
  public func load(_ data: Request.RequestData) async throws -> Request.ResponseData {
    let (body, response) = try await urlSession.data(for: request.makeRequest(from: data))
    if let status = (response as? HTTPURLResponse)?.statusCode, !(200..<300).contains(status) {
      throw APIError.status(status)
    }
    return try request.parseResponse(data: body)
  }
}

/// Why an answer is none.
public enum APIError: Error, Equatable {
  /// The server says that it cannot or will not.
  case status(Int)
}

extension APIError: CustomStringConvertible {
  /// What the server said.
  public var description: String {
    switch self {
    case .status(let code): "The server answered with status \(code)."
    }
  }
}
