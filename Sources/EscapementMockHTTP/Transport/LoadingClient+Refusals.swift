import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// Requests that Foundation does not support with a `URLProtocol`: refused, since they would crash
// or hang.

extension LoadingClient {
  /// The advice to use a mock server instead.
  static let server = """
    'URLProtocol' does not support this. A real server does: use the mock server, which takes the same \
    stubs.
    """

  /// Why a request of this kind cannot be answered; `nil` if it can.
  var refusal: String? {
    #if canImport(FoundationNetworking)
      switch task {
      case is URLSessionDownloadTask: "A stub cannot answer a download task. \(Self.server)"
      case is URLSessionWebSocketTask: "A stub cannot answer a web socket task. \(Self.server)"
      default: nil
      }
    #else
      nil
    #endif
  }

  /// Why this answer cannot be given; `nil` if it can.
  static func refusal(of response: HTTPStub.Response) -> String? {
    #if canImport(FoundationNetworking)
      if response.status == 401, response.headers["WWW-Authenticate"] != nil {
        return """
          answers with the status 401 and the header field 'WWW-Authenticate'. Foundation then waits for \
          ever (swift-corelibs-foundation#5457, fixed in 6.3.2). Remove the header field.
          """
      }
      if response.status == nil, case .finished = response.ending {
        return "has no status. Add a status, or an error with '.failing'."
      }
    #endif
    return nil
  }
}
