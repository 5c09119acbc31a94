import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Foundation's side of a request, which receives the answer.
///
/// Used only on the loading queue.
struct LoadingClient: @unchecked Sendable {
  // Sendable because the object is used only on the loading queue, as Foundation uses it. Other
  // threads read only the request and the class of its task, which do not change.
  let loading: MockURLProtocol

  init(_ loading: MockURLProtocol) { self.loading = loading }

  enum Part: Sendable {
    case head(URL, Int, HTTPStub.Headers)
    case data(Data)
  }

  var task: URLSessionTask? { loading.task }

  /// Whether Foundation stops because the request is suspended.
  var isSuspended: Bool { task?.state == .suspended && task?.error == nil }

  func perform(_ parts: [Part]) {
    for part in parts {
      switch part {
      case .head(let url, let status, let headers):
        let response = HTTPURLResponse(
          url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: headers.dictionary)
        loading.client?.urlProtocol(loading, didReceive: response!, cacheStoragePolicy: .notAllowed)
      case .data(let data):
        loading.client?.urlProtocol(loading, didLoad: data)
      }
    }
  }

  /// Ends the request.
  ///
  /// - Parameters:
  ///   - body: The whole body, if it was sent in several parts.
  ///   - done: Is called after the client has been told, on any thread.
  func finish(body: Data?, _ done: @escaping @Sendable () -> Void) {
    guard let client = loading.client else { return done() }
    let last = body.map { ShadowURLProtocol.of(loading, client, body: $0) } ?? loading
    tell(done) { client.urlProtocolDidFinishLoading(last) }
  }

  /// Makes the request fail.
  func fail(_ error: any Error, _ done: @escaping @Sendable () -> Void) {
    guard let client = loading.client else { return done() }
    tell(done) { client.urlProtocol(loading, didFailWithError: error) }
  }

  /// Releases Foundation's client, so that Foundation cannot report a second result.
  func forget() {
    #if canImport(FoundationNetworking)
      loading.client = nil
    #endif
  }
}
