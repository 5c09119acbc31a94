#if MockServer
  import EscapementMockHTTP
  import FlyingSocks
  import Foundation
  import _EscapementCore

  /// Accepts connections, and serves them, until its task is cancelled.
  struct Listener: Sendable {
    let socket: Socket
    let origin: RequestOrigin
    /// Whether the listener and its connections belong to a scope, which then waits for their
    /// sockets.
    var isInScope = false

    /// Waits before the next attempt to accept a connection, after the system had no file for it.
    var pause: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }

    /// Waits for a client.
    var acceptClient: @Sendable (AsyncSocket) async throws -> AsyncSocket = {
      try await $0.acceptClient()
    }

    func run() async {
      do {
        if isInScope {
          try await Sockets.withOwnPool { try await serve(AsyncSocket(socket: socket, pool: $0)) }
        } else {
          try await serve(Sockets.makeAsync(socket))
        }
      } catch is CancellationError {
        // The server was stopped.
      } catch {
        origin.stubs.report(
          "The mock server \(origin.url) has stopped accepting connections: \(error)")
      }
      try? socket.close()
    }

    private func serve(_ socket: AsyncSocket) async throws {
      let finished = FinishedChildren()
      try await withThrowingTaskGroup(of: Void.self) { group in
        defer { group.cancelAll() }
        var shortage = Shortage()
        while true {
          let client = try await accept(from: socket, &shortage)
          try await finished.takeResults(of: &group)
          group.addTask { try await finished.run { await Connection(client, origin).serve() } }
        }
      }
    }

    private func accept(
      from socket: AsyncSocket, _ shortage: inout Shortage
    ) async throws -> AsyncSocket {
      while true {
        try Task.checkCancellation()
        do {
          let client = try await acceptClient(socket)
          shortage.end()
          return client
        } catch SocketError.failed(_, let code, let message) where Shortage.codes.contains(code) {
          let (delay, isFirst) = shortage.next()
          if isFirst { report(message) }
          try await pause(delay)
        }
      }
    }

    private func report(_ message: String) {
      origin.stubs.report(
        """
        The mock server \(origin.url) cannot accept connections for now: \(message).

        It tries again, and goes on when the system allows it. The process may have too many open files: \
        stop servers, and close files and sessions that are not used any more, or raise the limit \
        ('ulimit -n').
        """)
    }
  }

  /// The times at which connections could not be accepted, because the system lacked files or
  /// memory.
  struct Shortage {
    /// The errors of `accept` that pass when other connections or files are closed.
    static let codes: Set<Int32> = [EMFILE, ENFILE, ENOBUFS, ENOMEM]

    private static let first = Duration.milliseconds(5)
    private static let longest = Duration.seconds(1)

    private var delay = Self.first
    private var isReported = false

    /// Returns the time until the next attempt, which doubles up to a second, and whether this is
    /// the first shortage of the server.
    mutating func next() -> (delay: Duration, isFirst: Bool) {
      defer {
        delay = min(delay * 2, Self.longest)
        isReported = true
      }
      return (delay, !isReported)
    }

    /// A connection was accepted.
    mutating func end() { delay = Self.first }
  }
#endif
