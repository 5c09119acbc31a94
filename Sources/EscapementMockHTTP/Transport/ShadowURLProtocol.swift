import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// Holds the whole body of a request that was answered in several parts.
  ///
  /// Foundation passes the data of the protocol object to completion handlers and `async` callers,
  /// but it keeps only the last part. So another object, which receives the whole body at once,
  /// reports the end. While it receives the body, it belongs to an idle task without a delegate, so
  /// that the real delegate does not get the data twice.
  final class ShadowURLProtocol: URLProtocol {
    private static let idleTask = URLSession(configuration: .ephemeral)
      .dataTask(with: URL(string: "idle:")!)

    private var current: URLSessionTask? = ShadowURLProtocol.idleTask

    override var task: URLSessionTask? {
      get { current }
      set { current = newValue }
    }

    static func of(
      _ loading: URLProtocol, _ client: any URLProtocolClient, body: Data
    ) -> URLProtocol {
      let shadow = ShadowURLProtocol(
        request: loading.request, cachedResponse: nil, client: client)
      client.urlProtocol(shadow, didLoad: body)
      shadow.current = loading.task
      return shadow
    }

    static func prepare() { _ = idleTask }
  }

#else

  /// Not needed here: Foundation joins the parts.
  enum ShadowURLProtocol {
    static func of(
      _ loading: URLProtocol, _ client: any URLProtocolClient, body: Data
    ) -> URLProtocol { loading }
  }

#endif
