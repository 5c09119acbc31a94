#if MockServer
  import FlyingSocks
  import Foundation

  /// Tells what a client that has ended its side of a connection does: it may wait for answers, or
  /// be gone.
  ///
  /// In the connection itself both look the same, until something is sent.
  protocol ClientObserver: Sendable {
    /// Whether the client still waits for answers.
    func waitsForAnswers(_ socket: Socket) async -> Bool
  }

  /// Reads the client's end of the connection from the tables of the system.
  ///
  /// The server listens on the loopback interface only, so the other end is on this machine. Only
  /// Linux shows the table, as a file; elsewhere a client that has ended its side counts as gone.
  struct LoopbackClientObserver: ClientObserver {
    func waitsForAnswers(_ socket: Socket) async -> Bool {
      guard case .ip4(_, let client)? = try? socket.remotePeer(),
        case .ip4(_, let server)? = try? socket.sockname()
      else { return false }
      var misses = 0
      while !Task.isCancelled {
        switch Self.state(client: client, server: server) {
        case .waiting: return true
        case .gone: return false
        case .missing:
          // While connections come and go, a reader of the table may miss one.
          misses += 1
          if misses == 3 { return false }
        case .undecided: break
        }
        // The kernel has not yet processed the end of the connection.
        do {
          try await holdingTime { try await Task.sleep(for: .milliseconds(1)) }
        } catch { return false }
      }
      return false
    }

    enum State {
      case waiting, gone, undecided, missing
    }

    private static func state(client: UInt16, server: UInt16) -> State {
      // A client may use an IPv6 socket, with an IPv4 address in it.
      for file in ["/proc/self/net/tcp", "/proc/self/net/tcp6"] {
        let state = state(in: content(of: file), client: client, server: server)
        if state != .missing { return state }
      }
      return .missing
    }

    /// Foundation reads only the first page of such a file.
    private static func content(of path: String) -> String {
      guard let file = fopen(path, "r") else { return "" }
      defer { fclose(file) }
      var content: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
        content += buffer[..<count]
      }
      return String(decoding: content, as: UTF8.self)
    }

    /// Finds the client's end in a table of connections (proc(5), /proc/net/tcp).
    ///
    /// A closed socket has no inode. An open one is in the state FIN_WAIT2 as soon as the server's
    /// kernel has acknowledged that nothing more will be sent.
    static func state(in table: String, client: UInt16, server: UInt16) -> State {
      for line in table.split(separator: "\n").dropFirst() {
        let columns = line.split(separator: " ")
        guard columns.count > 9, port(columns[1]) == client, port(columns[2]) == server else {
          continue
        }
        if columns[9] == "0" { return .gone }
        return columns[3] == "05" ? .waiting : .undecided
      }
      return .missing
    }

    private static func port(_ address: Substring) -> UInt16? {
      address.split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
  }
#endif
