#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct ConnectingTests {
    let network: SimulatedNetwork
    let server: SimulatedHost
    let client: SimulatedHost

    init() throws {
      (network, server, client) = try makeTwoHosts()
    }

    @Test func `connecting takes a round trip, and an answer another one`() async throws {
      server.run { try echo(port: 8080) }
      let times = try await client.perform {
        try elapsed { (mark) throws -> Void in
          let socket = try Socket.connect(to: "server", 8080)
          mark()
          socket.send("hello")
          #expect(try socket.receive() == "hello")
        }
      }
      #expect(times == [.milliseconds(80), .milliseconds(160)])
    }

    @Test func `a thread that does not wait is told that connecting is under way`() async throws {
      server.run { try echo(port: 8080) }
      try await client.perform {
        let socket = try Socket.make(isBlocking: false)
        #expect(throws: Errno(EINPROGRESS)) { try socket.connect(to: server.address, 8080) }
        #expect(throws: Errno(EALREADY)) { try socket.connect(to: server.address, 8080) }
        #expect(socket.send("early") == -1)
        #expect(errno == EAGAIN)
        let start = ContinuousClock.now
        #expect(socket.awaitOutput())
        #expect(ContinuousClock.now - start == .milliseconds(80))
        #expect(socket.pendingError == 0)
        try socket.connect(to: server.address, 8080)
        #expect(throws: Errno(EISCONN)) { try socket.connect(to: server.address, 8080) }
      }
    }

    @Test func `a port at which nobody listens refuses after a round trip`() async throws {
      try await client.perform {
        let times = try elapsed { (_) throws -> Void in
          #expect(throws: Errno(ECONNREFUSED)) { try Socket.connect(to: "server", 8080) }
        }
        #expect(times == [.milliseconds(80)])
        let socket = try Socket.make(isBlocking: false)
        #expect(throws: Errno(EINPROGRESS)) { try socket.connect(to: server.address, 8080) }
        #expect(socket.awaitOutput())
        #expect(socket.pendingError == ECONNREFUSED)
        #expect(socket.pendingError == 0)
        #expect(throws: Errno(ECONNREFUSED)) { try socket.connect(to: server.address, 8080) }
      }
    }

    @Test func `a server that nobody reaches is given up after 127 seconds`() async throws {
      server.run { try echo(port: 8080) }
      network.cut(client, server)
      let times = try await client.perform {
        try elapsed { (_) throws -> Void in
          #expect(throws: Errno(ETIMEDOUT)) { try Socket.connect(to: "server", 8080) }
        }
      }
      #expect(times == [.seconds(127)])
    }

    @Test func `an address of no host is unreachable`() async throws {
      try await client.perform {
        let socket = try Socket.make()
        #expect(throws: Errno(ENETUNREACH)) { try socket.connect(to: "10.0.0.3", 80) }
        #expect(throws: Errno(ENETUNREACH)) { try socket.connect(to: "192.0.2.1", 80) }
      }
    }

    @Test func `each host has all ports, and its own loopback interface`() async throws {
      for host in [server, client] {
        try await host.perform {
          try echo(port: 8080)
          let times = try elapsed { (mark) throws -> Void in
            let socket = try Socket.connect(to: "127.0.0.1", 8080)
            mark()
            socket.send("hello")
            #expect(try socket.receive() == "hello")
            #expect(socket.address == "127.0.0.1:49152")
            #expect(socket.peer == "127.0.0.1:8080")
          }
          #expect(times == [.zero, .zero])
          #expect(throws: Errno(EADDRINUSE)) { try Socket.listen(port: 8080) }
        }
      }
    }

    @Test func `sockets show the addresses of hosts`() async throws {
      let listener = try await server.perform { try Socket.listen(port: 8080) }
      try await client.perform {
        let socket = try Socket.connect(to: "SERVER", 8080)
        #expect(socket.peer == "10.0.0.1:8080")
        #expect(socket.address == "10.0.0.2:49152")
      }
      try await server.perform {
        #expect(listener.address == "0.0.0.0:8080")
        #expect(listener.peer == nil)
        let accepted = try #require(listener.accept())
        #expect(accepted.peer == "10.0.0.2:49152")
        #expect(accepted.address == "10.0.0.1:8080")
      }
    }

    @Test func `hosts connect by IPv6, and a server of IPv6 serves both`() async throws {
      let listener = try await server.perform { try Socket.listen(port: 8080, AF_INET6) }
      try await client.perform {
        let sixth = try Socket.make(AF_INET6)
        try sixth.connect(to: server.addressV6, 8080)
        #expect(sixth.peer == "[fd00::1]:8080")
        let fourth = try Socket.make()
        try fourth.connect(to: server.address, 8080)
        #expect(fourth.peer == "10.0.0.1:8080")
      }
      try await server.perform {
        #expect(listener.accept()?.peer == "[fd00::2]:49152")
        #expect(listener.accept()?.peer == "[::ffff:10.0.0.2]:49153")
      }
    }

    @Test func `a server whose address is that of one interface is not found at the other one`()
      async throws
    {
      try await server.perform {
        _ = try Socket.listen(port: 8080, at: "127.0.0.1")
        #expect(throws: Errno(EADDRNOTAVAIL)) { try Socket.listen(port: 8081, at: client.address) }
      }
      try await client.perform {
        #expect(throws: Errno(ECONNREFUSED)) { try Socket.connect(to: "server", 8080) }
      }
    }

    @Test func `names of no host do not exist`() async throws {
      try await client.perform {
        #expect(throws: Errno(EHOSTUNREACH)) { try Socket.connect(to: "example.com", 80) }
      }
    }

    @Test func `a socket of neither TCP nor UDP is refused`() async throws {
      await #expect(throws: Errno(EPROTONOSUPPORT)) {
        try await client.perform { try Socket.make(kind: SOCK_RAW) }
      }
    }

    // Under Thread Sanitizer, a thread that waits in the kernel keeps the baton.
    @Test(.withoutThreadSanitizer, arguments: 0..<5)
    func `a thread that has waited in the kernel may ask for anything`(call: Int) async throws {
      server.run { try echo(port: 8080) }
      let isDone = try await client.perform {
        let socket = try Socket.connect(to: "server", 8080)
        socket.send("hello")
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(recv(socket.file, &bytes, 16, 0) == 5)
        return switch call {
        case 0: socket.peer == "10.0.0.1:8080"
        case 1: socket.pendingError == 0
        case 2: setsockopt(socket.file, Int32(IPPROTO_TCP), TCP_NODELAY, &bytes, 4) == 0
        case 3: shutdown(socket.file, Int32(SHUT_WR)) == 0
        default: Glibc.listen(socket.file, 5) == -1
        }
      }
      #expect(isDone)
    }

    @Test func `a server whose queue is full is asked again, after longer and longer times`()
      async throws
    {
      let listener = try server.performNow { try Socket.listen(port: 80, backlog: 0) }
      try await client.perform {
        let first = try Socket.connect(to: "server", 80)
        try await Task.sleep(for: .seconds(1))
        async let accepted: Void = server.perform {
          try await Task.sleep(for: .seconds(4))
          _ = listener.accept()
        }
        let times = try elapsed { (_) throws -> Void in
          // The first attempts, after 1 s and 3 s, are too early.
          let second = try Socket.connect(to: "server", 80)
          second.close()
        }
        #expect(times == [.milliseconds(7080)])
        try await accepted
        first.close()
      }
    }

    @Test func `a server whose queue stays full is given up after 127 seconds`() async throws {
      let listener = try server.performNow { try Socket.listen(port: 80, backlog: 0) }
      try await client.perform { () throws -> Void in
        let first = try Socket.connect(to: "server", 80)
        let times = try elapsed { (_) throws -> Void in
          rest(milliseconds: 1000)
          #expect(throws: Errno(ETIMEDOUT)) { try Socket.connect(to: "server", 80) }
        }
        #expect(times == [.seconds(128)])
        first.close()
      }
      listener.close()
    }

    @Test func `Unix sockets stay as they are`() async throws {
      try await client.perform {
        let socket = try Socket.make(AF_UNIX)
        #expect(socket.address == "AF_UNIX")
        socket.close()
      }
    }

    @Test func `wrong calls give the errors of TCP`() async throws {
      try await client.perform {
        let socket = try Socket.make()
        #expect(throws: Errno(EAFNOSUPPORT)) { try socket.connect(to: server.addressV6, 80) }
        #expect(shutdown(socket.file, Int32(SHUT_WR)) == -1)
        #expect(errno == ENOTCONN)
        #expect(socket.accept() == nil)
        #expect(errno == EINVAL)
        let listener = try Socket.listen(port: 80)
        #expect(throws: Errno(EISCONN)) { try listener.connect(to: server.address, 80) }
        var bytes: [UInt8] = [9, 9, 9, 9]
        var size = socklen_t(1)
        #expect(getsockopt(socket.file, SOL_SOCKET, SO_DOMAIN, &bytes, &size) == 0)
        #expect(bytes == [2, 9, 9, 9])
      }
    }

    @Test func `a port that somebody listens at is not given to a client`() async throws {
      server.run { try echo(port: 8080) }
      try await client.perform {
        _ = try Socket.listen(port: 49153)
        let ports = try (0..<2).map { _ in try Socket.connect(to: "server", 8080).address }
        #expect(ports == ["10.0.0.2:49152", "10.0.0.2:49154"])
      }
    }
  }
#endif
