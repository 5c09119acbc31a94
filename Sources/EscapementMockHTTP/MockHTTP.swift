import EscapementTesting
public import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A network that consists of stubs, for sessions of its own.
///
/// ```swift
/// let http = MockHTTP()
/// http.stub(.get, "/users/:id") { request in .json(user) }
/// let session = http.makeSession()
/// ```
///
/// The sessions that it makes never reach the network, and know no other stubs: tests may run at the
/// same time. A request that no stub answers fails, and fails the test, with a message that says which
/// stub is the closest and why it does not answer. In a test with the trait `.doubles` stubs that were
/// never called fail it as well.
///
/// In a virtual-time scope answers come in virtual time, whatever their handlers wait for, and time
/// stands while a request is inside Foundation. `timeoutInterval` is honoured, on the same clock.
///
/// Give the session to the code under test. Nothing answers what goes through `URLSession.shared`.
///
/// What `URLProtocol` cannot do on Linux is refused with a message: downloads, and web sockets. A real
/// server on the loopback interface can: see the mock server.
public final class MockHTTP: HTTPStubbing {
  /// The stubs, and the journal of the requests.
  public let stubs: HTTPStubTable

  /// Makes a network without stubs.
  ///
  /// - `unmatched`: What happens to a request that no stub answers.
  /// - `requiresCalls`: Whether at the end of the test a stub that was never called fails it.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
  public init(
    unmatched: HTTPStubTable.Unmatched = .fail, requiresCalls: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    stubs = HTTPStubTable(
      unmatched: unmatched, verifiesAtEnd: requiresCalls,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Makes a session whose requests are answered by the stubs.
  ///
  /// - Parameters:
  ///   - configuration: What else the session is to have, such as a timeout. Its cache is not used.
  ///   - delegate: The session's delegate. As always, it is retained until the session is
  ///     invalidated.
  ///   - delegateQueue: Where the delegate and completion handlers are called.
  public func makeSession(
    configuration: URLSessionConfiguration = .ephemeral,
    delegate: (any URLSessionDelegate)? = nil, delegateQueue: OperationQueue? = nil
  ) -> URLSession {
    let configuration = configuration.copy() as! URLSessionConfiguration
    let stubbed = StubbedSession(stubs, configuration)
    if delegateQueue != nil { stubbed.keepForEver() }
    let session = URLSession(
      configuration: configuration, delegate: delegate,
      delegateQueue: delegateQueue ?? StubbedSessionQueue(stubbed))
    stubbed.urlSession = session
    return session
  }

  /// Makes a configuration for sessions that somebody else makes.
  ///
  /// Set no cache in it: on Linux the request would lose its test on the way.
  public func makeConfiguration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    StubbedSession(stubs, configuration).keepForEver()
    return configuration
  }
}
