import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// A delegate that records its calls, and lets a test wait for the end of its tasks.
final class SessionEvents: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate, Sendable {
  private let state = Lock((events: [String](), ends: 0))
  private let ends = AsyncStream<Void>.makeStream()
  private let redirection: @Sendable (URLRequest) -> URLRequest?
  private let body: Data?

  init(body: Data? = nil, redirection: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 }) {
    self.body = body
    self.redirection = redirection
  }

  var all: [String] { state.withLock { $0.events } }

  /// Returns when a task has ended.
  func end() async { for await _ in ends.stream { return } }

  private func note(_ event: String) { state.withLock { $0.events.append(event) } }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
  ) {
    note("status \((response as? HTTPURLResponse)?.statusCode ?? 0)")
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    note("data \(String(decoding: data, as: UTF8.self))")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?
  ) {
    note(error.map { "error \(($0 as? URLError)?.code.rawValue ?? 0)" } ?? "end")
    ends.continuation.yield()
  }

  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo url: URL
  ) {
    note("file")
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    willPerformHTTPRedirection response: HTTPURLResponse, newRequest request: URLRequest,
    completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    note("redirection \(response.statusCode) to \(request.url?.path ?? "")")
    completionHandler(redirection(request))
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask,
    needNewBodyStream completionHandler: @escaping @Sendable (InputStream?) -> Void
  ) {
    completionHandler(body.map { InputStream(data: $0) })
  }
}
