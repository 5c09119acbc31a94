import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// Foundation's side of a request, which takes what is answered; for the loading queue only.
struct LoadingClient: @unchecked Sendable {
  // Sendable because the object is only used on the loading queue, where Foundation uses it too. What
  // is read elsewhere does not change: the request, and the class of its task.
  let loading: MockURLProtocol

  init(_ loading: MockURLProtocol) { self.loading = loading }

  enum Part: Sendable {
    case head(URL, Int, HTTPStub.Headers)
    case data(Data)
  }

  var task: URLSessionTask? { loading.task }

  /// Whether Foundation stops only for the time being.
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
  ///   - body: The whole body, if it has come in several parts.
  ///   - done: Is called when the client has been told, on some thread.
  func finish(body: Data?, _ done: @escaping @Sendable () -> Void) {
    guard let client = loading.client else { return done() }
    let last = body.map { ShadowURLProtocol.of(loading, client, body: $0) } ?? loading
    tell(done) { client.urlProtocolDidFinishLoading(last) }
  }

  /// Lets the request fail.
  func fail(_ error: any Error, _ done: @escaping @Sendable () -> Void) {
    guard let client = loading.client else { return done() }
    tell(done) { client.urlProtocol(loading, didFailWithError: error) }
  }

  /// Cuts the connection to Foundation, which would tell the client something else.
  func forget() {
    #if canImport(FoundationNetworking)
      loading.client = nil
    #endif
  }
}
