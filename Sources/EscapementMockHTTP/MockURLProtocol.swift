import EscapementTesting
public import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A protocol class that answers all requests of its sessions with one global closure.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.protocolClasses = [MockURLProtocol.self]
/// MockURLProtocol.requestHandler = { request in (response, data) }
/// ```
///
/// It is for existing tests in the style of WWDC 2018, session 417. All tests share the closure, so
/// tests that set it must run one after the other, in one `.serialized` suite. For new tests use
/// ``MockHTTP``, whose stubs belong to their sessions.
///
/// In virtual time set `urlCache` of the configuration to `nil`: on Linux a session with a cache
/// loads its requests on a thread that belongs to no scope.
public class MockURLProtocol: URLProtocol {
  /// Answers a request.
  ///
  /// Its `httpBody` is set, even if the body came as a stream or a file.
  ///
  /// If the closure throws an error, the request fails with this error.
  public typealias RequestHandler =
    @Sendable (URLRequest) async throws -> (HTTPURLResponse, Data)

  private static let global = Lock<(handler: RequestHandler, session: StubbedSession)?>(nil)

  /// Answers all requests of all sessions that have this class.
  ///
  /// `nil` fails the requests and the test.
  public static var requestHandler: RequestHandler? {
    get { global.withLock { $0?.handler } }
    set {
      // Failures belong to the test that sets the handler.
      let handler = newValue.map { ($0, StubbedSession(answeringAllWith: $0)) }
      global.withLock { $0 = handler }
    }
  }

  /// `nil` if the session has been released.
  private let exchange: Exchange?
  /// Loads the request if a real server answers it.
  ///
  /// Used only on the loading queue.
  var native: URLProtocol?

  /// Accepts all requests of the session, so that no request reaches the real network.
  public override class func canInit(with request: URLRequest) -> Bool { true }

  /// Leaves the request as it is.
  public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  #if canImport(FoundationNetworking)
    /// Called by Foundation, on the thread and in the task that resume the request.
    public required init(
      request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
      exchange = Self.session.map { Exchange(request, $0) }
      super.init(request: request, cachedResponse: cachedResponse, client: client)
    }
  #else
    /// Called by Foundation.
    public required override init(
      request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
      exchange = Self.session.map { Exchange(request, $0) }
      super.init(request: request, cachedResponse: cachedResponse, client: client)
    }
  #endif

  private static var session: StubbedSession? {
    guard Self.self == MockURLProtocol.self else { return Slots.shared.session(of: Self.self) }
    return global.withLock { $0?.session } ?? StubbedSession(answeringAllWith: missingHandler)
  }

  /// Starts to answer the request.
  ///
  /// Called by Foundation.
  public override func startLoading() {
    let client = LoadingClient(self)
    if let exchange { exchange.start(client) } else { client.fail(URLError(.cancelled)) {} }
  }

  /// Stops answering the request.
  ///
  /// Called by Foundation.
  public override func stopLoading() {
    exchange?.stop(LoadingClient(self))
    native?.stopLoading()
  }
}

extension MockURLProtocol {
  fileprivate static let missingHandler: RequestHandler = { request in
    throw HTTPStubError(
      """
      A request was made while 'MockURLProtocol.requestHandler' is nil: \
      \(HTTPStub.Request(request))

      The test may not have set it, or a test that runs at the same time may have set it to nil. Set it \
      before the request, and put all tests that share it into one '.serialized' suite, or use \
      'MockHTTP'.
      """)
  }
}

extension StubbedSession {
  /// Creates a session whose requests one closure answers.
  fileprivate convenience init(answeringAllWith handler: @escaping MockURLProtocol.RequestHandler) {
    let location = SourceLocation.here
    let stubs = HTTPStubTable(unmatched: .fail, verifiesAtEnd: false, at: location)
    _ = stubs.add(
      StubEntry(
        .any, "*", .everything, [], { try await $0.answer(by: handler) }, at: location))
    self.init(stubs)
  }
}

extension HTTPStub.Request {
  fileprivate func answer(
    by handler: MockURLProtocol.RequestHandler
  ) async throws -> HTTPStub.Response {
    do {
      let (head, body) = try await handler(URLRequest(self))
      var answer = HTTPStub.Response.data(body, status: head.statusCode)
      answer.headers = [:]
      for (name, value) in head.allHeaderFields { answer.headers["\(name)"] = "\(value)" }
      return answer
    } catch let error as HTTPStubError {
      DoubleOwner.current.report(error.description, at: .here)
      throw error
    } catch {
      var answer = HTTPStub.Response()
      answer.ending = .failed(error)
      return answer
    }
  }
}

extension SourceLocation {
  /// A line of this file, because the setter of a property cannot know its caller.
  fileprivate static var here: SourceLocation {
    SourceLocation(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
  }
}
