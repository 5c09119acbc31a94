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

  /// The sockets of all mock servers, which one thread waits for.
  enum Sockets {
    // The pool that the package shares itself can be started twice by servers that start together, and
    // each further one would cost a thread, and a file that is not closed.
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

    /// Listens at a port of the loopback interface; 0 for one that is free.
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

    /// Lets tasks wait for a socket; only to be called outside of scopes.
    static func makeAsync(_ socket: Socket) async throws -> AsyncSocket {
      try AsyncSocket(socket: socket, pool: await pool.value)
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
    /// Waits for a client, whose socket then sends at once what is written to it.
    ///
    /// Otherwise something short that is written after something else would wait until the client
    /// confirms that, which clients put off for 40 ms.
    func acceptClient() async throws -> AsyncSocket {
      while true {
        let client: AsyncSocket
        do {
          client = try await accept()
        } catch SocketError.failed(_, ECONNABORTED, _) {
          // It has left before its turn.
          continue
        } catch SocketError.disconnected {
          // A socket that listens is not connected: the news were those of another one, see below.
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
          // It has left meanwhile, which some systems tell here.
          try? client.close()
        }
      }
    }
  }

  extension AsyncSocket {
    /// Waits for something to read.
    ///
    /// The pool may take the news of a socket that has just been closed for those of the next one, which
    /// got its number. So who is said to be disconnected is asked again.
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
    /// Makes closing the socket reset the connection.
    func resetWhenClosed() throws { try setValue(0, for: ImmediateClose()) }
  }

  /// How many seconds a socket that is closed goes on sending.
  private struct ImmediateClose: SocketOption {
    let name = Int32(SO_LINGER)

    func makeValue(from socketValue: linger) -> Int32 { Int32(socketValue.l_linger) }

    func makeSocketValue(from value: Int32) -> linger {
      linger(l_onoff: 1, l_linger: numericCast(value))
    }
  }
#endif
