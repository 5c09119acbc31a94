import EscapementTesting
public import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// The protocol class of a session whose requests are answered by one closure for all tests.
///
/// ```swift
/// let configuration = URLSessionConfiguration.ephemeral
/// configuration.protocolClasses = [MockURLProtocol.self]
/// MockURLProtocol.requestHandler = { request in (response, data) }
/// ```
///
/// This is the form of WWDC 2018, session 417, for tests that are written so already. The closure is
/// global: tests that use it must run one after the other (`.serialized`, in one suite). New tests are
/// better off with ``MockHTTP``, whose stubs belong to their sessions.
///
/// For virtual time set `urlCache` in the configuration to `nil`: on Linux a session with a cache loads
/// its requests on a thread that does not know who has made them.
public class MockURLProtocol: URLProtocol {
  /// Answers a request, whose `httpBody` is there however it was given.
  ///
  /// An error that it throws is what the request fails with.
  public typealias RequestHandler =
    @Sendable (URLRequest) async throws -> (HTTPURLResponse, Data)

  private static let global = Lock<(handler: RequestHandler, session: StubbedSession)?>(nil)

  /// Answers all requests of all sessions that have this class; `nil` fails them, and the test.
  public static var requestHandler: RequestHandler? {
    get { global.withLock { $0?.handler } }
    set {
      // The one who sets it is the test that failures belong to.
      let handler = newValue.map { ($0, StubbedSession(answeringAllWith: $0)) }
      global.withLock { $0 = handler }
    }
  }

  /// `nil` if the session is gone.
  private let exchange: Exchange?
  /// What loads the request if a real server answers it; on the loading queue only.
  var native: URLProtocol?

  /// Takes all requests of the session: what is not stubbed does not go to the network either.
  public override class func canInit(with request: URLRequest) -> Bool { true }

  /// Leaves the request as it is.
  public override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

  #if canImport(FoundationNetworking)
    /// Begins with a request; called by Foundation on the thread, and in the task, that resumes it.
    public required init(
      request: URLRequest, cachedResponse: CachedURLResponse?, client: (any URLProtocolClient)?
    ) {
      exchange = Self.session.map { Exchange(request, $0) }
      super.init(request: request, cachedResponse: cachedResponse, client: client)
    }
  #else
    /// Begins with a request; called by Foundation.
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

  /// Has the request answered; called by Foundation.
  public override func startLoading() {
    let client = LoadingClient(self)
    if let exchange { exchange.start(client) } else { client.fail(URLError(.cancelled)) {} }
  }

  /// Gives up the answer; called by Foundation.
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

      Set it before the request. If it was set, another test that ran at the same time may have set \
      it to nil: tests that share it must be serialized, or use 'MockHTTP'.
      """)
  }
}

extension StubbedSession {
  /// Makes a session that asks one closure.
  fileprivate convenience init(answeringAllWith handler: @escaping MockURLProtocol.RequestHandler) {
    let location = SourceLocation.here
    let stubs = HTTPStubTable(unmatched: .fail, verifiesAtEnd: false, at: location)
    _ = stubs.add(
      StubEntry(
        .any, "/*", try? PathPattern("/*"), [], { try await $0.answer(by: handler) }, at: location))
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
  /// This file: the closure is a property, and nobody knows who sets it.
  fileprivate static var here: SourceLocation {
    SourceLocation(fileID: #fileID, filePath: #filePath, line: #line, column: #column)
  }
}
