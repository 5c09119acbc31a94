#if MockServer
  import FlyingSocks
  import Foundation

  #if canImport(Darwin)
    import Darwin
  #elseif canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif

  /// The sockets of mock servers.
  ///
  /// One thread waits for those of all servers outside of scopes. A server in a scope has a pool of
  /// its own, whose queue belongs to the scope.
  enum Sockets {
    // Servers that start at the same time could start FlyingFox's shared pool twice.
    private static let pool = Task.detached(name: "Sockets of mock servers") {
      let pool = SocketPool<Queue>.forMockServers
      try await pool.prepare()
      Task.detached(name: "Sockets of mock servers") { try await pool.run() }
      return pool
    }

    #if canImport(Darwin)
      fileprivate typealias Queue = kQueue
    #else
      fileprivate typealias Queue = ePoll
    #endif

    /// Listens at a port of the loopback interface; 0 stands for any free port.
    static func listen(at port: UInt16) throws(MockServerError) -> (socket: Socket, port: UInt16) {
      do {
        let socket = try Socket(domain: AF_INET)
        do {
          try socket.setValue(true, for: .localAddressReuse)
          try socket.bind(to: .inet(ip4: "127.0.0.1", port: port))
          try socket.listen()
          guard case .ip4(_, let port) = try socket.sockname() else {
            throw SocketError.unsupportedAddress
          }
          return (socket, port)
        } catch {
          try? socket.close()
          throw error
        }
      } catch SocketError.failed(_, EADDRINUSE, _) {
        throw .portInUse(port)
      } catch SocketError.failed(_, _, let message) {
        throw .cannotListen(port: port, reason: message)
      } catch {
        throw .cannotListen(port: port, reason: "\(error)")
      }
    }

    /// Makes a socket that tasks can wait for.
    ///
    /// Must be called outside all scopes.
    static func makeAsync(_ socket: Socket) async throws -> AsyncSocket {
      try AsyncSocket(socket: socket, pool: await pool.value)
    }

    /// Calls a closure with a pool that waits for sockets until the closure returns.
    static func withOwnPool(_ body: (any AsyncSocketPool) async throws -> Void) async throws {
      let pool = SocketPool<Queue>.forMockServers
      try await pool.prepare()
      let waiting = Task(name: "Sockets of a mock server") { try await pool.run() }
      defer { waiting.cancel() }
      try await body(pool)
    }
  }

  extension SocketPool where Queue == Sockets.Queue {
    fileprivate static var forMockServers: SocketPool<Queue> {
      #if canImport(Darwin)
        .kQueue()
      #else
        .ePoll()
      #endif
    }
  }

  extension AsyncSocket {
    /// Waits for a client.
    ///
    /// Its socket sends at once (`TCP_NODELAY`).
    ///
    /// Without this option, a short write after another one waits for the client's acknowledgement,
    /// which clients delay by 40 ms.
    func acceptClient() async throws -> AsyncSocket {
      while true {
        let client: AsyncSocket
        do {
          client = try await accept()
        } catch SocketError.failed(_, ECONNABORTED, _) {
          // The client has disconnected before it was accepted.
          continue
        } catch SocketError.disconnected {
          // A listening socket is not connected, so the event was that of another socket; see
          // below.
          continue
        }
        do {
          let noDelay = BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY)
          try client.socket.setValue(true, for: noDelay)
          #if canImport(Darwin)
            try client.socket.setValue(true, for: .noSIGPIPE)
          #endif
          return client
        } catch {
          // The client has disconnected meanwhile, which some systems report here.
          try? client.close()
        }
      }
    }
  }

  extension AsyncSocket {
    /// Waits for something to read.
    ///
    /// The pool may confuse a socket that has just been closed with the next one, which has the
    /// same number. So after the event "disconnected" the socket is read once more.
    func readWhatComes() async throws -> [UInt8] {
      while true {
        do {
          return try await read(atMost: 4096)
        } catch SocketError.disconnected {
          do {
            return try socket.read(atMost: 4096)
          } catch SocketError.blocked {
            continue
          }
        }
      }
    }
  }

  extension Socket {
    /// Announces that nothing more will be sent; the client can still send.
    func endSending() { _ = shutdown(file.rawValue, Int32(SHUT_WR)) }

    /// Makes closing the socket reset the connection.
    func resetWhenClosed() throws { try setValue(0, for: ImmediateClose()) }
  }

  /// The number of seconds for which a closed socket goes on sending.
  private struct ImmediateClose: SocketOption {
    let name = Int32(SO_LINGER)

    func makeValue(from socketValue: linger) -> Int32 { Int32(socketValue.l_linger) }

    func makeSocketValue(from value: Int32) -> linger {
      linger(l_onoff: 1, l_linger: numericCast(value))
    }
  }
#endif
