import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking

  /// Has the whole body of a request that was answered in several parts.
  ///
  /// Foundation hands to completion handlers and to `async` callers what the protocol object has
  /// received, of which it keeps the last part only. So the end is told in the name of another object,
  /// which receives the whole at once. That a delegate does not see it twice is due to a task of a
  /// session without a delegate, which takes the place of the real one meanwhile.
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

  /// Is not needed: Foundation joins the parts.
  enum ShadowURLProtocol {
    static func of(
      _ loading: URLProtocol, _ client: any URLProtocolClient, body: Data
    ) -> URLProtocol { loading }
  }

#endif
