import Escapement
import Foundation
import PointsOfInterest

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Error {
  /// A description of the error in one line, for a user.
  var inOneLine: String {
    let text =
      switch self as any Error {
      case let error as RetryError where error.attemptCount > 1:
        "\(error.lastError.inOneLine) (\(error.attemptCount) attempts)"
      case let error as RetryError: error.lastError.inOneLine
      case APIError.status(let code): "the server answered with status \(code)"
      case let error as URLError: error.reason
      case let error as DecodingError: "the answer cannot be read: \(error.reason)"
      default: "\(self)"
      }
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }
}

extension URLError {
  fileprivate var reason: String {
    switch code {
    case .cannotConnectToHost: "no server answers at this address"
    case .cannotFindHost, .dnsLookupFailed: "the server's name is not known"
    case .networkConnectionLost: "the connection was lost"
    case .timedOut: "the server did not answer in time"
    case .notConnectedToInternet: "there is no network"
    default: "the request failed with URL error \(code.rawValue)"
    }
  }
}

extension DecodingError {
  fileprivate var reason: String {
    switch self {
    case .keyNotFound(let key, let context):
      "\(place(context.codingPath)) has no '\(key.stringValue)'"
    case .valueNotFound(_, let context): "\(place(context.codingPath)) is null"
    case .typeMismatch(_, let context), .dataCorrupted(let context):
      context.codingPath.isEmpty
        ? "it is not the JSON of places"
        : "\(place(context.codingPath)): \(context.debugDescription)"
    @unknown default: "it is not the JSON of places"
    }
  }

  /// A path such as `places[3].hours`.
  private func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "it" }
    return path.reduce("") { text, key in
      if let index = key.intValue { return "\(text)[\(index)]" }
      return text.isEmpty ? key.stringValue : "\(text).\(key.stringValue)"
    }
  }
}
