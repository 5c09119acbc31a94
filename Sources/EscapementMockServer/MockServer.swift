#if MockServer
  import EscapementTesting
  public import EscapementMockHTTP
  import _EscapementCore
  import EscapementVirtualTime
  public import Foundation

  // The server uses the sockets of FlyingFox, but not its HTTP server. That server writes header
  // and body separately, which takes 44 ms per request with Nagle's algorithm and delayed
  // acknowledgements. It does not notice that a client disconnects, ends handlers after a timeout,
  // and cannot reset or truncate a connection. The mock server writes all data that is ready at the
  // same time at once, to sockets with `TCP_NODELAY`.
  //
  // A connection has two tasks. One receives all the time, and so notices that the client
  // disconnects. The other one answers the requests in order. Both tasks are outside all scopes,
  // and so is the code that cancels them. The reason is the actor that waits for the sockets. It
  // serves all servers of the process, and an actor is run by the scope that gives it work; that
  // scope ends.
  //
  // Handlers run in tasks that are started where the server was started. So they have the test's
  // task-local values and wait in its scope. The types in `Answers` connect the two sides. They
  // hold time from the moment at which a request is complete until a stub has it, and during each
  // write.

  /// A server on the loopback interface that answers with stubs.
  ///
  /// It takes the same stubs as a `MockHTTP`, and is as strict: a request that no stub answers
  /// fails the test, and gets the status 501 with a text that names the closest stub.
  ///
  /// ```swift
  /// try await withMockServer { server in
  ///   server.stub(.get, "/users/:id", returns: .json(user))
  ///   let users = UserService(server: server.url)
  ///   …
  /// }
  /// ```
  ///
  /// Use it if a test needs a real connection: for downloads, for clients other than `URLSession`,
  /// for other processes, and for connections that break. Otherwise use `MockHTTP`, which is
  /// faster, and exact in virtual time.
  ///
  /// `withMockServer` starts and stops a server. Tests of XCTest that run in real time may also
  /// call ``start(port:unmatched:requiresCalls:fileID:filePath:line:column:)`` in `setUp` and
  /// ``stop()`` in `tearDown`. In virtual time, start the server inside the scope.
  ///
  /// If the client closes the connection before the answer is complete, the handler is cancelled. A
  /// client that only ends its own side of the connection gets the answer (on Linux). In a
  /// virtual-time scope, handlers wait in virtual time; see <doc:TestingEndToEnd>.
  public final class MockServer: HTTPStubbing {
    /// The URL of the server, `http://127.0.0.1:` and its port, without a path.
    public let url: URL

    /// The stubs, and the journal of the requests.
    public var stubs: HTTPStubTable { origin.stubs }

    private let origin: RequestOrigin
    /// Accepts and serves connections: in the scope in which the server was started, if queues and
    /// threads are virtual there, else outside all scopes.
    private let network: Task<Void, Never>
    private let isInScope: Bool
    /// Starts to answer requests, in the scope in which the server was started.
    private let answering: Task<Void, Never>

    private init(
      _ origin: RequestOrigin, _ network: Task<Void, Never>, isInScope: Bool,
      _ answering: Task<Void, Never>
    ) {
      self.origin = origin
      self.network = network
      self.isInScope = isInScope
      self.answering = answering
      url = origin.url
    }

    /// Starts a server.
    ///
    /// The server accepts requests when this function returns.
    ///
    /// - `port`: The port to listen at; 0 for any free port.
    /// - `unmatched`: What happens to a request that no stub answers.
    /// - `requiresCalls`: Whether a stub that was called too seldom fails the test at its end.
    /// - `fileID`, `filePath`, `line`, `column`: The source location to which issues are
    ///   attributed; by default that of the caller.
    /// - Returns: The server. It runs until ``stop()`` or, with the trait `.doubles`, until the end
    ///   of the test, even if no reference to it remains.
    /// - Throws: ``MockServerError`` if the server cannot listen at the port.
    public static func start(
      port: UInt16 = 0, unmatched: HTTPStubTable.Unmatched = .fail, requiresCalls: Bool = true,
      fileID: StaticString = #fileID, filePath: StaticString = #filePath,
      line: UInt = #line, column: UInt = #column
    ) async throws(MockServerError) -> MockServer {
      let (socket, port) = try Sockets.listen(at: port)
      let (requests, input) = AsyncStream.makeStream(of: ServedRequest.self)
      let location = SourceLocation(fileID: fileID, filePath: filePath, line: line, column: column)
      let isInScope = VirtualTime.reachesThisTask
      // A server that belongs to the scope need not hold its time.
      let origin = RequestOrigin(
        url: URL(string: "http://127.0.0.1:\(port)")!,
        stubs: HTTPStubTable(unmatched: unmatched, verifiesAtEnd: requiresCalls, at: location),
        time: isInScope ? nil : .current, requests: input)
      let listener = Listener(socket: socket, origin: origin, isInScope: isInScope)
      let network =
        if isInScope {
          Task(name: "Mock server") { await listener.run() }
        } else {
          await holdingTime { await Outside.task("Mock server") { await listener.run() } }
        }
      let answering = Task(name: "Requests to a mock server") {
        for await served in requests { served.start() }
        if isInScope { network.cancel() } else { Outside.cancel(network) }
      }
      let server = MockServer(origin, network, isInScope: isInScope, answering)
      DoubleOwner.current.atEnd {
        server.close()
        return []
      }
      return server
    }

    /// Stops the server: closes its connections, cancels its handlers, and waits until they have
    /// ended.
    ///
    /// Requests that have not been answered fail. The journal remains. A stub that is added
    /// afterwards fails the test. A second call has no effect. A handler must not call this
    /// function, because it would wait for itself.
    public func stop() async {
      close()
      if isInScope { await network.value } else { await holdingTime { await network.value } }
      await answering.value
    }

    private func close() {
      stubs.close("The mock server \(url) has been stopped.")
      if isInScope { network.cancel() } else { Outside.cancel(network) }
      origin.requests.finish()
    }
  }
#endif
