#if MockServer
  import EscapementMockHTTP
  import FlyingSocks
  import _EscapementCore

  /// Accepts connections, and serves them, until its task is cancelled.
  struct Listener: Sendable {
    let socket: Socket
    let origin: RequestOrigin

    func run() async {
      do {
        let socket = try await Sockets.makeAsync(socket)
        let finished = FinishedChildren()
        try await withThrowingTaskGroup(of: Void.self) { group in
          defer { group.cancelAll() }
          while true {
            try Task.checkCancellation()
            let client = try await socket.acceptClient()
            try await finished.takeResults(of: &group)
            group.addTask { try await finished.run { await Connection(client, origin).serve() } }
          }
        }
      } catch is CancellationError {
        // It was stopped.
      } catch {
        origin.stubs.report("A mock server cannot accept connections any more: \(error)")
      }
      try? socket.close()
    }
  }
#endif
