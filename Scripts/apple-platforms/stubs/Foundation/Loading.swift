// Requests, sessions and their protocols. Availability is that of
// developer.apple.com/documentation/foundation: a declaration without `@available` is older than
// the platforms of the package. A class is Sendable if Apple's headers mark it so, as the bindings
// of github.com/madsmtm/objc2-generated show, and if the package needs it; else this is stricter.

public struct URLRequest: Hashable, Sendable, CustomStringConvertible {
  public init(url: URL) { fatalError() }
  public init(
    url: URL, cachePolicy: CachePolicy = .useProtocolCachePolicy, timeoutInterval: TimeInterval = 60
  ) {
    fatalError()
  }
  public enum CachePolicy: UInt, Sendable {
    case useProtocolCachePolicy = 0
    case reloadIgnoringLocalCacheData = 1
  }
  public var url: URL?
  public var timeoutInterval: TimeInterval
  public var httpMethod: String?
  public var allHTTPHeaderFields: [String: String]?
  public var httpBody: Data?
  public var httpBodyStream: InputStream? {
    get { fatalError() }
    set { fatalError() }
  }
  public var httpShouldHandleCookies: Bool
  public func value(forHTTPHeaderField field: String) -> String? { fatalError() }
  public mutating func setValue(_ value: String?, forHTTPHeaderField field: String) { fatalError() }
  public mutating func addValue(_ value: String, forHTTPHeaderField field: String) { fatalError() }
  public static func == (a: URLRequest, b: URLRequest) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) { fatalError() }
  public var description: String { fatalError() }
}

open class URLResponse: NSObject, @unchecked Sendable {
  public init(url: URL, mimeType: String?, expectedContentLength: Int, textEncodingName: String?) {
    fatalError()
  }
  open var url: URL? { fatalError() }
  open var mimeType: String? { fatalError() }
  open var expectedContentLength: Int64 { fatalError() }
}

open class HTTPURLResponse: URLResponse, @unchecked Sendable {
  public init?(url: URL, statusCode: Int, httpVersion: String?, headerFields: [String: String]?) {
    fatalError()
  }
  open var statusCode: Int { fatalError() }
  open var allHeaderFields: [AnyHashable: Any] { fatalError() }
  open func value(forHTTPHeaderField field: String) -> String? { fatalError() }
}

open class CachedURLResponse: NSObject {}

open class URLCache: NSObject {
  public enum StoragePolicy: UInt, Sendable {
    case allowed = 0
    case allowedInMemoryOnly = 1
    case notAllowed = 2
  }
}

open class HTTPCookie: NSObject {
  open var name: String { fatalError() }
  open var value: String { fatalError() }
  open class func cookies(withResponseHeaderFields fields: [String: String], for url: URL)
    -> [HTTPCookie]
  {
    fatalError()
  }
  open class func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] {
    fatalError()
  }
  public enum AcceptPolicy: UInt, Sendable {
    case always = 0
    case never = 1
    case onlyFromMainDocumentDomain = 2
  }
}

open class HTTPCookieStorage: NSObject, @unchecked Sendable {
  open func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
    fatalError()
  }
  open func cookies(for url: URL) -> [HTTPCookie]? { fatalError() }
}

open class URLAuthenticationChallenge: NSObject {}

public protocol URLProtocolClient: NSObjectProtocol {
  func urlProtocol(
    _ loading: URLProtocol, wasRedirectedTo request: URLRequest, redirectResponse: URLResponse)
  func urlProtocol(_ loading: URLProtocol, cachedResponseIsValid response: CachedURLResponse)
  func urlProtocol(
    _ loading: URLProtocol, didReceive response: URLResponse,
    cacheStoragePolicy: URLCache.StoragePolicy)
  func urlProtocol(_ loading: URLProtocol, didLoad data: Data)
  func urlProtocolDidFinishLoading(_ loading: URLProtocol)
  func urlProtocol(_ loading: URLProtocol, didFailWithError error: any Error)
  func urlProtocol(_ loading: URLProtocol, didReceive challenge: URLAuthenticationChallenge)
  func urlProtocol(_ loading: URLProtocol, didCancel challenge: URLAuthenticationChallenge)
}

open class URLProtocol: NSObject {
  public init(
    request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    fatalError()
  }
  public convenience init(
    task: URLSessionTask, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
  ) {
    fatalError()
  }
  open var client: (any URLProtocolClient)? { fatalError() }
  open var request: URLRequest { fatalError() }
  open var cachedResponse: CachedURLResponse? { fatalError() }
  open var task: URLSessionTask? { fatalError() }
  open class func canInit(with request: URLRequest) -> Bool { fatalError() }
  open class func canInit(with task: URLSessionTask) -> Bool { fatalError() }
  open class func canonicalRequest(for request: URLRequest) -> URLRequest { fatalError() }
  open func startLoading() { fatalError() }
  open func stopLoading() { fatalError() }
  open class func registerClass(_ protocolClass: AnyClass) -> Bool { fatalError() }
}

open class URLSessionConfiguration: NSObject {
  open class var `default`: URLSessionConfiguration { fatalError() }
  open class var ephemeral: URLSessionConfiguration { fatalError() }
  open var timeoutIntervalForRequest: TimeInterval {
    get { fatalError() }
    set { fatalError() }
  }
  open var timeoutIntervalForResource: TimeInterval {
    get { fatalError() }
    set { fatalError() }
  }
  open var httpShouldSetCookies: Bool {
    get { fatalError() }
    set { fatalError() }
  }
  open var httpCookieAcceptPolicy: HTTPCookie.AcceptPolicy {
    get { fatalError() }
    set { fatalError() }
  }
  open var httpAdditionalHeaders: [AnyHashable: Any]? {
    get { fatalError() }
    set { fatalError() }
  }
  open var httpCookieStorage: HTTPCookieStorage? {
    get { fatalError() }
    set { fatalError() }
  }
  open var urlCache: URLCache? {
    get { fatalError() }
    set { fatalError() }
  }
  open var protocolClasses: [AnyClass]? {
    get { fatalError() }
    set { fatalError() }
  }
}

public protocol URLSessionDelegate: NSObjectProtocol, Sendable {}
public protocol URLSessionTaskDelegate: URLSessionDelegate {}
public protocol URLSessionDataDelegate: URLSessionTaskDelegate {}
public protocol URLSessionDownloadDelegate: URLSessionTaskDelegate {
  func urlSession(
    _ session: URLSession, downloadTask: URLSessionDownloadTask,
    didFinishDownloadingTo location: URL)
}

open class URLSession: NSObject, @unchecked Sendable {
  open class var shared: URLSession { fatalError() }
  public init(configuration: URLSessionConfiguration) { fatalError() }
  public init(
    configuration: URLSessionConfiguration, delegate: (any URLSessionDelegate)?,
    delegateQueue: OperationQueue?
  ) { fatalError() }
  open var delegateQueue: OperationQueue { fatalError() }
  open var delegate: (any URLSessionDelegate)? { fatalError() }
  open var configuration: URLSessionConfiguration { fatalError() }
  public enum ResponseDisposition: Int, Sendable {
    case cancel = 0
    case allow = 1
    case becomeDownload = 2
    case becomeStream = 3
  }
  open func dataTask(
    with url: URL,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { fatalError() }
  open func downloadTask(with url: URL) -> URLSessionDownloadTask { fatalError() }
  open func downloadTask(
    with url: URL, completionHandler: @escaping @Sendable (URL?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDownloadTask { fatalError() }
  open func uploadTask(withStreamedRequest request: URLRequest) -> URLSessionUploadTask {
    fatalError()
  }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  public func upload(
    for request: URLRequest, from data: Data, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  public func upload(
    for request: URLRequest, fromFile file: URL, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  open func invalidateAndCancel() { fatalError() }
  open func finishTasksAndInvalidate() { fatalError() }
  open func dataTask(with url: URL) -> URLSessionDataTask { fatalError() }
  open func dataTask(with request: URLRequest) -> URLSessionDataTask { fatalError() }
  open func dataTask(
    with request: URLRequest,
    completionHandler: @escaping @Sendable (Data?, URLResponse?, (any Error)?) -> Void
  ) -> URLSessionDataTask { fatalError() }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  public func data(
    for request: URLRequest, delegate: (any URLSessionTaskDelegate)? = nil
  ) async throws -> (Data, URLResponse) { fatalError() }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  public func data(from url: URL, delegate: (any URLSessionTaskDelegate)? = nil) async throws -> (
    Data, URLResponse
  ) {
    fatalError()
  }
}

open class URLSessionTask: NSObject, @unchecked Sendable {
  public enum State: Int, Sendable {
    case running = 0
    case suspended = 1
    case canceling = 2
    case completed = 3
  }
  open var state: State { fatalError() }
  open var error: (any Error)? { fatalError() }
  open var priority: Float {
    get { fatalError() }
    set { fatalError() }
  }
  open var countOfBytesExpectedToSend: Int64 { fatalError() }
  open var originalRequest: URLRequest? { fatalError() }
  open var currentRequest: URLRequest? { fatalError() }
  open var response: URLResponse? { fatalError() }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  open var delegate: (any URLSessionTaskDelegate)? {
    get { fatalError() }
    set { fatalError() }
  }
  open func resume() { fatalError() }
  open func suspend() { fatalError() }
  open func cancel() { fatalError() }
}
open class URLSessionDataTask: URLSessionTask, @unchecked Sendable {}
open class URLSessionUploadTask: URLSessionDataTask, @unchecked Sendable {}
open class URLSessionDownloadTask: URLSessionTask, @unchecked Sendable {}
@available(macOS 10.15, iOS 13.0, tvOS 13.0, watchOS 6.0, *)
open class URLSessionWebSocketTask: URLSessionTask, @unchecked Sendable {}

open class Stream: NSObject {
  open func open() { fatalError() }
  open func close() { fatalError() }
  open var streamError: (any Error)? { fatalError() }
}
open class InputStream: Stream {
  public init(data: Data) { fatalError() }
  open func read(_ buffer: UnsafeMutablePointer<UInt8>, maxLength: Int) -> Int { fatalError() }
  open var hasBytesAvailable: Bool { fatalError() }
}
