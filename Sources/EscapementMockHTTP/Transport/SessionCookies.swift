import Foundation

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The cookies of a session.
///
/// With a `URLProtocol`, Foundation does not take cookies from answers, so it is done here, by the
/// rules of the session's configuration.
struct SessionCookies: Sendable {
  /// `nil` if the session has no cookies.
  private let storage: HTTPCookieStorage?
  private let acceptsCookies: Bool
  private let sendsCookies: Bool

  /// The cookies of a session whose configuration is not known.
  static let none = SessionCookies()

  private init() {
    storage = nil
    acceptsCookies = false
    sendsCookies = false
  }

  init(_ configuration: URLSessionConfiguration) {
    storage = configuration.httpCookieStorage
    acceptsCookies = configuration.httpCookieAcceptPolicy != .never
    sendsCookies = configuration.httpShouldSetCookies
  }

  /// Keeps the cookies of an answer.
  func store(_ headers: HTTPStub.Headers, from url: URL) {
    guard acceptsCookies, let storage else { return }
    // One by one, because a cookie may contain a comma.
    for value in headers[values: "Set-Cookie"] {
      let cookies = HTTPCookie.cookies(withResponseHeaderFields: ["Set-Cookie": value], for: url)
      storage.setCookies(cookies, for: url, mainDocumentURL: nil)
    }
  }

  /// The header field `Cookie` of a request to a URL; `nil` if there are no cookies for it.
  func field(for url: URL) -> String? {
    guard sendsCookies, let cookies = storage?.cookies(for: url), !cookies.isEmpty else {
      return nil
    }
    return HTTPCookie.requestHeaderFields(with: cookies)["Cookie"]
  }
}
