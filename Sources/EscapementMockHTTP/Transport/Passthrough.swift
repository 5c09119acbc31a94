import EscapementVirtualTime
import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Exchange {
  /// Makes Foundation load the request.
  ///
  /// Time stands until the real server has answered.
  func passThrough(_ client: LoadingClient) {
    let hold = time?.startHold()
    LoadingQueue.run { [self] in
      guard let client = state.withLock({ $0.client }) else {
        hold?.end()
        return
      }
      client.loadNatively(request) { [self] last in
        let (client, waiter) = state.withLock { $0.end() }
        waiter?.resume()
        // The client has cancelled the request, and Foundation has told it so.
        guard let client else {
          hold?.end()
          return
        }
        client.tell({ [self] in handBack(hold) }, last)
      }
    }
  }
}

#if canImport(FoundationNetworking)

  extension LoadingClient {
    /// Loads the request with the class that would have loaded it without stubs.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - end: Is called at the end, on the loading queue, with a closure that tells the client.
    func loadNatively(_ request: URLRequest, end: @escaping (_ last: @escaping () -> Void) -> Void)
    {
      let classes = URLSessionConfiguration.default.protocolClasses ?? []
      let native = classes.lazy.compactMap { $0 as? URLProtocol.Type }
        .first { $0.canInit(with: request) }
      guard let native, let client = loading.client else {
        return end { [self] in
          loading.client?.urlProtocol(loading, didFailWithError: URLError(.unsupportedURL))
        }
      }
      let relay = ClientRelay(client, end: end)
      let protocolObject = native.init(request: request, cachedResponse: nil, client: relay)
      protocolObject.task = task
      loading.native = protocolObject
      protocolObject.startLoading()
    }
  }

  /// Forwards what another protocol class loads, and reports its end.
  private final class ClientRelay: NSObject, URLProtocolClient, @unchecked Sendable {
    // Sendable because it is used only on the loading queue.
    private let client: any URLProtocolClient
    private let end: (_ last: @escaping () -> Void) -> Void

    init(_ client: any URLProtocolClient, end: @escaping (_ last: @escaping () -> Void) -> Void) {
      self.client = client
      self.end = end
    }

    func urlProtocolDidFinishLoading(_ loading: URLProtocol) {
      end { [client] in client.urlProtocolDidFinishLoading(loading) }
    }

    func urlProtocol(_ loading: URLProtocol, didFailWithError error: any Error) {
      end { [client] in client.urlProtocol(loading, didFailWithError: error) }
    }

    func urlProtocol(
      _ loading: URLProtocol, didReceive response: URLResponse,
      cacheStoragePolicy policy: URLCache.StoragePolicy
    ) {
      client.urlProtocol(loading, didReceive: response, cacheStoragePolicy: .notAllowed)
    }

    func urlProtocol(_ loading: URLProtocol, didLoad data: Data) {
      client.urlProtocol(loading, didLoad: data)
    }

    func urlProtocol(
      _ loading: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse
    ) {
      client.urlProtocol(loading, wasRedirectedTo: request, redirectResponse: redirectResponse)
    }

    func urlProtocol(_ loading: URLProtocol, cachedResponseIsValid response: CachedURLResponse) {
      client.urlProtocol(loading, cachedResponseIsValid: response)
    }

    func urlProtocol(_ loading: URLProtocol, didReceive challenge: URLAuthenticationChallenge) {
      client.urlProtocol(loading, didReceive: challenge)
    }

    func urlProtocol(_ loading: URLProtocol, didCancel challenge: URLAuthenticationChallenge) {
      client.urlProtocol(loading, didCancel: challenge)
    }
  }

#else

  extension LoadingClient {
    /// Loads the request with a session without stubs, and passes on the answer at the end.
    func loadNatively(
      _ request: URLRequest, end: @escaping @Sendable (_ last: @escaping () -> Void) -> Void
    ) {
      let task = URLSession(configuration: .ephemeral).dataTask(with: request) {
        [self] data, response, error in
        end { [self] in
          guard let client = loading.client else { return }
          if let error { return client.urlProtocol(loading, didFailWithError: error) }
          if let response {
            client.urlProtocol(loading, didReceive: response, cacheStoragePolicy: .notAllowed)
          }
          if let data { client.urlProtocol(loading, didLoad: data) }
          client.urlProtocolDidFinishLoading(loading)
        }
      }
      task.resume()
    }
  }

#endif
