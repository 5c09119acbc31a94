import EscapementTesting
import _EscapementCore

/// What answers requests with stubs: ``MockHTTP``, and the mock server.
public protocol HTTPStubbing: Sendable {
  /// The stubs, and the journal of the requests.
  var stubs: HTTPStubTable { get }
}

extension HTTPStubbing {
  /// Answers requests.
  ///
  /// ```swift
  /// http.stub(.get, "/users/:id") { request in
  ///   .json(User(id: request["id"]))
  /// }
  /// ```
  ///
  /// Of several stubs that match a request the most particular one answers: the one whose path is
  /// written out where the other has parameters, then the one with more matchers. Two stubs that
  /// demand the same are refused.
  ///
  /// - `method`: The method, or `.any`.
  /// - `path`: The path. `:name` stands for one segment, which the handler finds in the request;
  ///   `*` at the end for one or more. With a server in front, as in `https://example.com/users`,
  ///   the stub answers for this one only. A malformed path is reported as an issue.
  /// - `matchers`: What else is demanded.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
  /// - `handler`: Answers the request. It may wait, on any clock.
  /// - Returns: The stub, to say more of its answers, and to look at its calls.
  @discardableResult
  public func stub(
    _ method: HTTPStub.Method, _ path: String, where matchers: HTTPStub.Matcher...,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    handler: @escaping HTTPStub.Handler
  ) -> HTTPStub {
    add(
      method, path, matchers, handler,
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// Answers requests, always the same.
  ///
  /// ```swift
  /// http.stub(.delete, "/users/:id", returns: .status(204))
  /// ```
  ///
  /// - `method`: The method, or `.any`.
  /// - `path`: The path, with parameters as `:name`.
  /// - `matchers`: What else is demanded.
  /// - `response`: The answer.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed; by
  ///   default that of the caller.
  /// - Returns: The stub, to say more of its answers, and to look at its calls.
  @discardableResult
  public func stub(
    _ method: HTTPStub.Method, _ path: String, where matchers: HTTPStub.Matcher...,
    returns response: HTTPStub.Response,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> HTTPStub {
    add(
      method, path, matchers, { _ in response },
      SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column))
  }

  /// All requests, in the order of their arrival, whether a stub has answered them or not.
  public var requests: [HTTPStub.Request] { stubs.journal }

  /// Fails the test for each stub that has not been called as often as it was promised.
  ///
  /// At the end of a test with the trait `.doubles`, or of `withDoubles`, this is done anyway.
  public func verify() {
    for failure in stubs.unkeptPromises() { failure.report() }
  }

  private func add(
    _ method: HTTPStub.Method, _ path: String, _ matchers: [HTTPStub.Matcher],
    _ handler: @escaping HTTPStub.Handler, _ location: SourceLocation
  ) -> HTTPStub {
    do {
      let pattern = try PathPattern(path)
      return stubs.add(StubEntry(method, path, pattern, matchers, handler, at: location))
    } catch {
      return stubs.add(
        StubEntry(method, path, nil, matchers, handler, at: location),
        """
        '\(path)' is no path of a stub: \(error.reason). The stub answers nothing.

        A path is like '/users/:id' or '/files/*', or begins with a server, 'https://example.com/'.
        """)
    }
  }
}
