import EscapementMockHTTP
import EscapementTesting

#if MockServer

  /// Runs a body with a mock server, and stops the server when the body ends.
  ///
  /// ```swift
  /// try await withMockServer { server in
  ///   server.stub(.get, "/users/:id", returns: .json(user))
  ///   let loaded = try await UserService(server: server.url).user(1)
  ///   #expect(loaded == user)
  /// }
  /// ```
  ///
  /// The body is also a scope that owns doubles, as that of `withDoubles`. So a stub that was never
  /// called fails the test at the line of the stub, unless the body throws an error.
  ///
  /// - `port`: The port to listen at; 0 for any free port.
  /// - `unmatched`: What happens to a request that no stub answers.
  /// - `requiresCalls`: Whether a stub that was called too seldom fails the test.
  /// - `isolation`: The caller's isolation; do not pass it.
  /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
  ///   by default that of the caller.
  /// - `body`: The code to run, on the caller's isolation.
  /// - Returns: What the body returns.
  /// - Throws: ``MockServerError`` if the server cannot listen at the port, or the error of the
  ///   body.
  public func withMockServer<Result>(
    port: UInt16 = 0, unmatched: HTTPStubTable.Unmatched = .fail, requiresCalls: Bool = true,
    isolation: isolated (any Actor)? = #isolation,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column,
    _ body: (MockServer) async throws -> Result
  ) async throws -> Result {
    try await withDoubles {
      let server = try await MockServer.start(
        port: port, unmatched: unmatched, requiresCalls: requiresCalls,
        fileID: fileID, filePath: filePath, line: line, column: column)
      do {
        let result = try await body(server)
        await server.stop()
        return result
      } catch {
        await server.stop()
        throw error
      }
    }
  }
#endif
