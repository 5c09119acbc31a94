import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The least that a `URLProtocol` can do: it answers at once, always the same.
///
/// It hangs when requests are cancelled, and hears nothing of who asks for what.
final class ConstantURLProtocol: URLProtocol {
  private static let response = HTTPURLResponse(
    url: URL(string: "https://example.com")!, statusCode: 200, httpVersion: nil, headerFields: nil)!
  private static let body = Data("constant".utf8)

  static var configuration: URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    configuration.urlCache = nil
    configuration.protocolClasses = [ConstantURLProtocol.self]
    return configuration
  }

  override class func canInit(with request: URLRequest) -> Bool { true }

  override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  override func startLoading() {
    client?.urlProtocol(self, didReceive: Self.response, cacheStoragePolicy: .notAllowed)
    client?.urlProtocol(self, didLoad: Self.body)
    client?.urlProtocolDidFinishLoading(self)
  }

  override func stopLoading() {}
}
