import EscapementVirtualTime
import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The request that follows from a redirection.
///
/// On Linux `URLProtocol` crashes when it redirects, so redirections are followed here, by the
/// rules of RFC 9110, 15.4. The method changes where all browsers change it.
struct Redirection {
  let request: HTTPStub.Request

  /// - Returns: `nil` if the response is not a redirection.
  init?(
    of request: HTTPStub.Request, to response: HTTPStub.Response, cookies: SessionCookies = .none
  ) {
    guard let status = response.status, [301, 302, 303, 307, 308].contains(status),
      let location = response.headers["Location"],
      let url = URL(string: location, relativeTo: request.url)?.absoluteURL
    else { return nil }
    let becomesGet =
      status == 303 ? request.method != .head : status <= 302 && request.method == .post
    var headers = request.headers
    if becomesGet {
      for name in ["Content-Length", "Content-Type"] { headers[name] = nil }
    }
    if HTTPStub.Address(url).origin != request.address.origin {
      for name in ["Authorization", "Cookie"] { headers[name] = nil }
    }
    if let cookies = cookies.field(for: url) { headers["Cookie"] = cookies }
    self.request = HTTPStub.Request(
      becomesGet ? .get : request.method, url, headers: headers,
      body: becomesGet ? Data() : request.body)
  }
}

extension Exchange {
  /// Returns the request to which a response redirects, as the delegate allows or changes it; `nil`
  /// for none.
  func redirection(
    of request: HTTPStub.Request, to response: HTTPStub.Response, _ client: LoadingClient
  ) async -> HTTPStub.Request? {
    let cookies = self.request.httpShouldHandleCookies ? session.cookies : .none
    guard let next = Redirection(of: request, to: response, cookies: cookies)?.request else {
      return nil
    }
    #if canImport(FoundationNetworking)
      guard let session = session.urlSession, let task = client.task, let delegate = task.delegate,
        let head = HTTPURLResponse(
          url: request.url, statusCode: response.status ?? 302, httpVersion: "HTTP/1.1",
          headerFields: response.headers.dictionary)
      else { return next }
      let proposal = URLRequest(next)
      let hold = time?.startHold()
      defer { hold?.end() }
      let answer = await withUnsafeContinuation { continuation in
        session.delegateQueue.addOperation {
          delegate.urlSession(
            session, task: task, willPerformHTTPRedirection: head, newRequest: proposal
          ) { continuation.resume(returning: $0) }
        }
      }
      return answer.map { HTTPStub.Request($0) }
    #else
      return next
    #endif
  }
}
