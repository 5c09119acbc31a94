#if MockServer
  import EscapementTesting
  public import EscapementMockHTTP
  import _EscapementCore
  import EscapementVirtualTime
  public import Foundation

  /// A server on the loopback interface that answers with stubs.
  ///
  /// It takes the stubs of a `MockHTTP`, and is as strict: a request that no stub answers gets the status
  /// 501 and a text that says which stub is the closest, and fails the test.
  ///
  /// ```swift
  /// try await withMockServer { server in
  ///   server.stub(.get, "/users/:id", returns: .json(user))
  ///   let users = UserService(server: server.url)
  ///   …
  /// }
  /// ```
  ///
  /// Use it for what only a real connection can do: downloads, clients that are not `URLSession`, other
  /// processes, and connections that break. Otherwise a `MockHTTP` is faster, and exact in virtual time.
  ///
  /// `withMockServer` starts and stops it. Where the start and the end of a test are methods of their own, as in XCTest, call
  /// ``start(port:unmatched:requiresCalls:fileID:filePath:line:column:)`` and ``stop()``.
  ///
  /// When the client leaves before the answer is complete, the handler is cancelled. In a virtual-time
  /// scope handlers wait in virtual time; see <doc:TestingEndToEnd>.
  public final class MockServer: HTTPStubbing {
    /// Where the server is: `http://127.0.0.1:` and its port, without a path.
    public let url: URL

    /// The stubs, and the journal of the requests.
    public var stubs: HTTPStubTable { origin.stubs }

    private let origin: RequestOrigin
    /// Accepts and serves connections, outside of scopes.
    private let network: Task<Void, Never>
    /// Begins to answer requests, where the server was started.
    private let answering: Task<Void, Never>

    private init(
      _ origin: RequestOrigin, _ network: Task<Void, Never>, _ answering: Task<Void, Never>
    ) {
      self.origin = origin
      self.network = network
      self.answering = answering
      url = origin.url
    }

    /// Starts a server, which is ready when this returns.
    ///
    /// - `port`: Where it listens; 0 for a port that is free.
    /// - `unmatched`: What happens to a request that no stub answers.
    /// - `requiresCalls`: Whether at the end of the test a stub that was never called fails it.
    /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are attributed;
    ///   by default that of the caller.
    /// - Returns: The server. It runs until ``stop()``, or the end of the test if that has the trait
    ///   `.doubles`, whether anybody keeps it or not.
    /// - Throws: ``MockServerError`` when it cannot listen at the port.
    public static func start(
      port: UInt16 = 0, unmatched: HTTPStubTable.Unmatched = .fail, requiresCalls: Bool = true,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) async throws(MockServerError) -> MockServer {
      let (socket, port) = try Sockets.listen(at: port)
      let (requests, input) = AsyncStream.makeStream(of: ServedRequest.self)
      let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
      let origin = RequestOrigin(
        url: URL(string: "http://127.0.0.1:\(port)")!,
        stubs: HTTPStubTable(unmatched: unmatched, verifiesAtEnd: requiresCalls, at: location),
        time: .current, requests: input)
      let network = await holdingTime {
        await Outside.task("Mock server") { await Listener(socket: socket, origin: origin).run() }
      }
      let answering = Task(name: "Mock server") {
        for await served in requests { served.start() }
        Outside.cancel(network)
      }
      let server = MockServer(origin, network, answering)
      DoubleOwner.current.atEnd {
        server.close()
        return []
      }
      return server
    }

    /// Stops the server: closes its connections, cancels its handlers, and waits until they have ended.
    ///
    /// Requests that are not answered fail. The journal stays; stubs that are made afterwards are refused.
    /// Stopping once more does nothing. Not to be called by a handler, which would wait for itself.
    public func stop() async {
      close()
      await holdingTime { await network.value }
      await answering.value
    }

    private func close() {
      stubs.close("The mock server \(url) has been stopped.")
      Outside.cancel(network)
      origin.requests.finish()
    }
  }

  /// Makes the time of the caller's scope stand, if there is one, while a body waits for real work.
  private func holdingTime<Result: Sendable>(_ body: () async -> Result) async -> Result {
    guard let time = VirtualTime.current else { return await body() }
    return await time.hold { await body() }
  }
#endif
