import EscapementTesting
import _EscapementCore

/// A double that answers requests with stubs: ``MockHTTP`` or the mock server.
public protocol HTTPStubbing: Sendable {
  /// The stubs, and the journal of the requests.
  var stubs: HTTPStubTable { get }
}

extension HTTPStubbing {
  /// Adds a stub, whose handler answers the requests that match.
  ///
  /// ```swift
  /// http.stub(.get, "/users/:id") { request in
  ///   .json(User(id: request["id"]))
  /// }
  /// ```
  ///
  /// If several stubs match a request, the most specific one answers: a path with a literal segment
  /// is more specific than one with a parameter in its place; then more matchers are more specific.
  /// A second stub with the same conditions fails the test.
  ///
  /// To find the stubs for a path takes the same time with one stub as with thousands.
  ///
  /// - `method`: The method, or `.any`.
  /// - `path`: The path. `:name` stands for one segment, which the handler can read from the
  ///   request. `*` at the end stands for one or more segments. With a server in front, as in
  ///   `https://example.com/users`, the stub matches requests to this server only; without one,
  ///   requests to every server of `http` and `https`. A malformed path fails the test.
  /// - `matchers`: Further conditions, all of which the request must meet.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - `handler`: Answers the request. It may wait, on any clock.
  /// - Returns: The stub, which takes further answers and has the record of its requests.
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

  /// Adds a stub that always gives the same answer.
  ///
  /// ```swift
  /// http.stub(.delete, "/users/:id", returns: .status(204))
  /// ```
  ///
  /// - `method`: The method, or `.any`.
  /// - `path`: The path, as for a stub with a handler.
  /// - `matchers`: Further conditions, all of which the request must meet.
  /// - `response`: The answer.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - Returns: The stub, which takes further answers and has the record of its requests.
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

  /// All requests in the order of their arrival, including those that no stub has answered.
  public var requests: [HTTPStub.Request] { stubs.journal }

  /// Fails the test for each stub that was called too seldom.
  ///
  /// A test with the trait `.doubles`, and `withDoubles`, verify all stubs at their end.
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
        '\(path)' is not a valid path of a stub: \(error.reason). The stub matches no request.

        Use a path such as '/users/:id' or '/files/*', with or without a server in front, such as \
        'https://example.com'.
        """)
    }
  }
}
