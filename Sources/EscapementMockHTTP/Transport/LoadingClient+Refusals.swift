import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

// What Foundation cannot do with a `URLProtocol`. It would crash or hang, so it is not tried.

extension LoadingClient {
  /// What to use instead.
  static let server = """
    'URLProtocol' cannot do that. A server can, on the loopback interface: use the mock server, which \
    takes the same stubs.
    """

  /// Why no request of this kind can be answered, if so.
  var refusal: String? {
    #if canImport(FoundationNetworking)
      switch task {
      case is URLSessionDownloadTask: "A download task is to be answered by a stub. \(Self.server)"
      case is URLSessionWebSocketTask: "A web socket is to be answered by a stub. \(Self.server)"
      default: nil
      }
    #else
      nil
    #endif
  }

  /// Why this answer cannot be given, if so.
  static func refusal(of response: HTTPStub.Response) -> String? {
    #if canImport(FoundationNetworking)
      if response.status == 401, response.headers["WWW-Authenticate"] != nil {
        return """
          answers with the status 401 and the header field 'WWW-Authenticate', for which Foundation \
          waits for ever (swift-corelibs-foundation#5457, mended in 6.3.2). Leave the field out.
          """
      }
      if response.status == nil, case .finished = response.ending {
        return "ends without a status."
      }
    #endif
    return nil
  }
}
