#if MockServer
  import EscapementMockHTTP
  import FlyingSocks

  /// Accepts connections, and serves them, until its task is cancelled.
  struct Listener: Sendable {
    let socket: Socket
    let origin: RequestOrigin

    func run() async {
      do {
        let socket = try await Sockets.makeAsync(socket)
        try await withThrowingDiscardingTaskGroup { group in
          defer { group.cancelAll() }
          while true {
            try Task.checkCancellation()
            let client = try await socket.acceptClient()
            group.addTask { await Connection(client, origin).serve() }
          }
        }
      } catch is CancellationError {
        // The server was stopped.
      } catch {
        origin.stubs.report(
          """
          A mock server has stopped accepting connections: \(error)

          The process may have too many open files. Stop servers that are not used any more.
          """)
      }
      try? socket.close()
    }
  }
#endif
