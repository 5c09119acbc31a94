import EscapementTesting
public import Foundation
import _EscapementCore

#if canImport(FoundationNetworking)
  public import FoundationNetworking
#endif

/// A network that consists of stubs, and makes the sessions that use it.
///
/// ```swift
/// let http = MockHTTP()
/// http.stub(.get, "/users/:id") { request in .json(user) }
/// let session = http.makeSession()
/// ```
///
/// The sessions never reach the real network. Each has only the stubs of its `MockHTTP`, so tests
/// may run in parallel. A request that no stub answers fails, and fails the test, with a message
/// that names the closest stub and the conditions that it does not meet. In a test with the trait
/// `.doubles`, a stub that was never called fails the test as well.
///
/// A request that a real session would refuse because of its address, such as one without a host,
/// fails with the error of a real session, and fails the test, unless a stub names its scheme and
/// host.
///
/// In a virtual-time scope, handlers wait in virtual time, and time stands while a request is
/// inside Foundation. `timeoutInterval` counts virtual time as well.
///
/// Pass the session to the code under test. Requests of `URLSession.shared` are not stubbed.
///
/// On Linux `URLProtocol` does not support downloads and web sockets. They are refused with a
/// message. The mock server, a real server on the loopback interface, supports them.
public final class MockHTTP: HTTPStubbing {
  /// The stubs, and the journal of the requests.
  public let stubs: HTTPStubTable

  /// Creates a network without stubs.
  ///
  /// - `unmatched`: What happens to a request that no stub answers.
  /// - `requiresCalls`: Whether a stub that was called too seldom fails the test at its end.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  public init(
    unmatched: HTTPStubTable.Unmatched = .fail, requiresCalls: Bool = true,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) {
    stubs = HTTPStubTable(
      unmatched: unmatched, verifiesAtEnd: requiresCalls,
      at: SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Creates a session whose requests the stubs answer.
  ///
  /// - Parameters:
  ///   - configuration: Further settings of the session, such as a timeout. Its cache is not used.
  ///   - delegate: The delegate of the session. As usual, the session retains it until it is
  ///     invalidated.
  ///   - delegateQueue: The queue that calls the delegate and completion handlers.
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

  /// Creates a configuration, for code that creates its session itself.
  ///
  /// Do not set a cache in it: on Linux Foundation would then load the request on a thread that
  /// belongs to no test.
  public func makeConfiguration() -> URLSessionConfiguration {
    let configuration = URLSessionConfiguration.ephemeral
    StubbedSession(stubs, configuration).keepForEver()
    return configuration
  }
}
