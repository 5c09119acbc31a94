#if os(Linux)
  import CEventFiles
  import EscapementNetwork
  import EscapementTesting
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct DatagramTests {
    let network: SimulatedNetwork
    let server: SimulatedHost
    let client: SimulatedHost

    init() throws {
      (network, server, client) = try makeTwoHosts()
    }

    /// A socket of the server at port 53.
    private func serve() throws -> Socket {
      try server.performNow { try Socket.udp(port: 53) }
    }

    /// Sends back what comes.
    private static func echo(_ socket: Socket) {
      Thread.detachNewThread {
        while let question = try? socket.receiveDatagram() {
          let parts = question.sender.split(separator: ":")
          _ = try? socket.send("re: \(question.text)", to: "\(parts[0])", Int(parts[1])!)
        }
      }
    }

    @Test func `a datagram takes one way over the link, and its answer another one`() async throws {
      try server.performNow { Self.echo(try Socket.udp(port: 53)) }
      let (answer, time) = try await client.perform {
        let start = ContinuousClock.now
        let socket = try Socket.udp()
        try socket.send("where?", to: "server", 53)
        return (try socket.receiveDatagram(), ContinuousClock.now - start)
      }
      #expect(answer == Datagram("re: where?", from: "10.0.0.1:53"))
      #expect(time == .milliseconds(80))
    }

    @Test func `sockets show their addresses`() async throws {
      try await client.perform {
        let socket = try Socket.udp()
        #expect(socket.address == "0.0.0.0:0")
        #expect(socket.peer == nil)
        try socket.send("first", to: "server", 53)
        #expect(socket.address == "0.0.0.0:49152")
        try socket.connect(to: "server", 53)
        #expect(socket.address == "10.0.0.2:49152")
        #expect(socket.peer == "10.0.0.1:53")
        var (kind, size) = (Int32(0), socklen_t(4))
        getsockopt(socket.file, SOL_SOCKET, SO_TYPE, &kind, &size)
        #expect(kind == Int32(SOCK_DGRAM.rawValue))
        getsockopt(socket.file, SOL_SOCKET, SO_PROTOCOL, &kind, &size)
        #expect(kind == Int32(IPPROTO_UDP))
      }
    }

    @Test func `a socket of IPv6 hears those of IPv4 as well`() async throws {
      let socket = try server.performNow { try Socket.udp(AF_INET6, port: 53) }
      try await client.perform {
        try Socket.udp(AF_INET6).send("six", to: "server", 53, AF_INET6)
        try Socket.udp().send("four", to: "server", 53, AF_INET)
      }
      let heard = try await server.perform {
        [try socket.receiveDatagram(), try socket.receiveDatagram()]
      }
      #expect(
        heard == [
          Datagram("six", from: "[fd00::2]:49152"),
          Datagram("four", from: "[::ffff:10.0.0.2]:49153"),
        ])
    }

    @Test func `a connected socket reads and writes, and hears its peer alone`() async throws {
      let socket = try serve()
      let stranger = network.host("stranger")
      try await client.perform {
        let mine = try Socket.udp(port: 1000)
        try mine.connect(to: "server", 53)
        #expect(mine.send("by send") == 7)
        #expect(write(mine.file, "by write", 8) == 8)
        try mine.send("by sendto", to: "server", 53)
        _ = try await stranger.perform { try Socket.udp().send("noise", to: "client", 1000) }
        let heard = try await server.perform {
          let heard = try (0..<3).map { _ in try socket.receiveDatagram() }
          try socket.send("answer", to: "client", 1000)
          return heard
        }
        #expect(heard.map(\.text) == ["by send", "by write", "by sendto"])
        #expect(Set(heard.map(\.sender)) == ["10.0.0.2:1000"])
        mine.awaitInput()
        var bytes = [UInt8](repeating: 0, count: 16)
        #expect(read(mine.file, &bytes, 16) == 6)
        #expect(mine.receiveAll() == [])
        // Nobody's again, it hears all.
        var nobody = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: sockaddr().sa_data)
        #expect(Glibc.connect(mine.file, &nobody, socklen_t(MemoryLayout<sockaddr>.size)) == 0)
        #expect(mine.address == "0.0.0.0:1000")
        _ = try await stranger.perform { try Socket.udp().send("noise", to: "client", 1000) }
        #expect(try mine.receiveDatagram() == Datagram("noise", from: "10.0.0.3:49153"))
      }
    }

    @Test func `each datagram has its sender, whatever reads those before it`() async throws {
      let socket = try serve()
      try await client.perform {
        let senders = try (1...8).map { try Socket.udp(port: 1000 + $0) }
        for (sender, text) in zip(senders, ["a", "", "ccc", "d", "e", "", "g", "h"]) {
          try sender.send(text, to: "server", 53)
        }
      }
      try await server.perform { () throws -> Void in
        #expect(try socket.receiveDatagram() == Datagram("a", from: "10.0.0.2:1001"))
        #expect(try socket.receiveDatagram() == Datagram("", from: "10.0.0.2:1002"))
        let peeks = Int32(MSG_PEEK)
        #expect(try socket.receiveDatagram(flags: peeks) == Datagram("ccc", from: "10.0.0.2:1003"))
        var bytes = [UInt8](repeating: 0, count: 2)
        #expect(read(socket.file, &bytes, 2) == 2)
        #expect(bytes == Array("cc".utf8))
        #expect(try socket.receiveDatagram() == Datagram("d", from: "10.0.0.2:1004"))
        #expect(recv(socket.file, &bytes, 2, 0) == 1)
        #expect(recv(socket.file, &bytes, 2, 0) == 0)
        #expect(try socket.receiveDatagram() == Datagram("g", from: "10.0.0.2:1007"))
        #expect(try socket.receiveDatagram() == Datagram("h", from: "10.0.0.2:1008"))
        #expect(throws: Errno(EAGAIN)) {
          try socket.receiveDatagram(flags: Int32(MSG_DONTWAIT))
        }
      }
    }

    @Test func `several are sent and received at once`() async throws {
      let socket = try serve()
      let sent = try await client.perform {
        let senders = [try Socket.udp(port: 1001), try Socket.udp(port: 1002)]
        defer { rest(milliseconds: 1000) }
        return try senders.map { sender in
          try Socket.withAddress(of: "server", 53, AF_INET) {
            send_several(sender.file, $0, $1, 3)
          }
        }
      }
      #expect(sent == [3, 3])
      try await server.perform {
        var bytes = [CChar](repeating: 0, count: 5)
        var ports = [UInt16](repeating: 0, count: 5)
        #expect(receive_several(socket.file, 4, &bytes, &ports) == 4)
        #expect(bytes.prefix(4).map { UInt8($0) } == Array("abca".utf8))
        #expect(ports == [1001, 1001, 1001, 1002, 0])
        #expect(receive_several(socket.file, 2, &bytes, &ports) == 2)
        #expect(ports.prefix(2) == [1002, 1002])
      }
    }

    @Test func `those of one instant arrive in their order, as many as there is room for`()
      async throws
    {
      let socket = try serve()
      try await client.perform {
        let sender = try Socket.udp()
        for number in 0..<100 { try sender.send("\(number)", to: "server", 53) }
      }
      try await Task.sleep(for: .seconds(1))
      #expect(server.performNow { socket.receiveAll() } == (0..<100).map { "\($0)" })

      func sendMany(_ room: Int32) async throws -> Int {
        var room = room
        _ = server.performNow { setsockopt(socket.file, SOL_SOCKET, SO_RCVBUF, &room, 4) }
        try await client.perform {
          let sender = try Socket.udp()
          let text = String(repeating: "x", count: 1000)
          for _ in 0..<1000 { try sender.send(text, to: "server", 53) }
        }
        try await Task.sleep(for: .seconds(1))
        return server.performNow { socket.receiveAll().count }
      }
      let (few, more) = (try await sendMany(10_000), try await sendMany(100_000))
      #expect(few > 0 && few < more && more < 1000)
    }

    @Test func `a receiver waits in virtual time, up to its limit`() async throws {
      let socket = try serve()
      let times = try await server.perform {
        var limit = timeval(tv_sec: 1, tv_usec: 500_000)
        setsockopt(
          socket.file, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        return try elapsed { (_) throws -> Void in
          #expect(throws: Errno(EAGAIN)) { try socket.receiveDatagram() }
        }
      }
      #expect(times == [.milliseconds(1500)])
    }

    @Test func `a host talks to itself in no time`() async throws {
      try await server.perform {
        let socket = try Socket.udp(port: 53)
        let times = try elapsed { (_) throws -> Void in
          try Socket.udp(port: 54).send("self", to: "localhost", 53)
          #expect(try socket.receiveDatagram() == Datagram("self", from: "127.0.0.1:54"))
        }
        #expect(times == [.zero])
      }
    }

    @Test func `TCP and UDP have ports of their own, which no two sockets share`() async throws {
      try await server.perform {
        let sockets = [try Socket.udp(port: 53), try Socket.listen(port: 53)]
        #expect(throws: Errno(EADDRINUSE)) { try Socket.udp(port: 53) }
        for socket in sockets { socket.close() }
        try Socket.udp(port: 53).close()
      }
    }

    @Test func `wrong calls give the errors of UDP`() async throws {
      try await client.perform {
        let socket = try Socket.udp()
        #expect(throws: Errno(EDESTADDRREQ)) {
          guard sendto(socket.file, "a", 1, 0, nil, 0) == 1 else { throw Errno() }
        }
        #expect(throws: Errno(EINVAL)) { try socket.send("a", to: "server", 0) }
        #expect(throws: Errno(ENETUNREACH)) { try socket.send("a", to: "10.0.0.9", 53) }
        #expect(throws: Errno(ENETUNREACH)) { try socket.send("a", to: "192.0.2.1", 53) }
        #expect(throws: Errno(EAFNOSUPPORT)) {
          try socket.send("a", to: "server", 53, AF_INET6)
        }
        let most = String(repeating: "x", count: 65_507)
        #expect(try socket.send(most, to: "server", 53) == 65_507)
        #expect(throws: Errno(EMSGSIZE)) { try socket.send(most + "x", to: "server", 53) }
        #expect(throws: Errno(EFAULT)) {
          guard
            try Socket.withAddress(
              of: "server", 53, AF_INET, { sendto(socket.file, nil, 5, 0, $0, $1) }) == 5
          else { throw Errno() }
        }
        let six = try Socket.udp(AF_INET6)
        #expect(try six.send("a", to: "server", 53, AF_INET) == 1)
        var only = Int32(1)
        setsockopt(six.file, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &only, 4)
        #expect(throws: Errno(ENETUNREACH)) { try six.send("a", to: "server", 53, AF_INET) }
        let ended = try Socket.udp()
        try ended.connect(to: "server", 53)
        #expect(ended.send(most + "x") == -1 && errno == EMSGSIZE)
        #expect(shutdown(ended.file, Int32(SHUT_WR)) == 0)
        #expect(ended.send("a") == -1 && errno == EPIPE)
        #expect(Glibc.listen(socket.file, 5) == -1 && errno == EOPNOTSUPP)
        #expect(shutdown(socket.file, Int32(SHUT_WR)) == -1 && errno == ENOTCONN)
        var size = Int32(1200)
        let segments = Int32(103)
        #expect(setsockopt(socket.file, Int32(IPPROTO_UDP), segments, &size, 4) == -1)
      }
    }

    @Test func `what nobody receives is lost, and nobody is told`() async throws {
      try await client.perform {
        let socket = try Socket.udp()
        try socket.connect(to: "server", 53)
        for _ in 0..<3 {
          #expect(socket.send("a") == 1)
          try await Task.sleep(for: .seconds(1))
        }
        #expect(socket.pendingError == 0)
      }
    }

    @Test func `what is sent leaves at once, and in the order of the calls`() async throws {
      let socket = try serve()
      let senders = try client.performNow { [try Socket.udp(port: 1), try Socket.udp(port: 2)] }
      try client.performNow {
        for sender in senders { try sender.connect(to: "server", 53) }
        senders[1].send("1")
        try senders[0].send("2", to: "server", 53)
        senders[0].send("3")
        senders[1].send("4")
      }
      network.cut(client, server)
      client.performNow { _ = senders[0].send("lost") }
      network.heal(client, server)
      try await Task.sleep(for: .seconds(1))
      #expect(server.performNow { socket.receiveAll() } == ["1", "2", "3", "4"])
    }

    @Test func `a blocking receiver of several waits for all of them`() async throws {
      let socket = try serve()
      async let sent: Void = client.perform {
        let sender = try Socket.udp()
        for _ in 0..<200 {
          try sender.send("a", to: "server", 53)
          try await Task.sleep(for: .milliseconds(50))
        }
      }
      let counts = try await server.perform {
        var bytes = [CChar](repeating: 0, count: 128)
        var ports = [UInt16](repeating: 0, count: 128)
        let few = receive_several(socket.file, 4, &bytes, &ports)
        try await Task.sleep(for: .seconds(5))
        return [few, receive_several(socket.file, 100, &bytes, &ports)]
      }
      #expect(counts == [4, 100])
      try await sent
    }

    @Test func `a shutdown wakes who receives, also if it fails`() async throws {
      try await server.perform {
        let socket = try Socket.udp(port: 53)
        let received = Log<Datagram>()
        Thread.detachNewThread {
          if let datagram = try? socket.receiveDatagram() { received.append(datagram) }
        }
        try await Task.sleep(for: .seconds(1))
        #expect(shutdown(socket.file, Int32(SHUT_RDWR)) == -1 && errno == ENOTCONN)
        try await Task.sleep(for: .seconds(1))
        #expect(received.entries.map(\.text) == [""])
        socket.close()
      }
    }

    @Test func `a socket that is connected no more has the address to which it was bound`()
      async throws
    {
      try await client.perform { () throws -> Void in
        let socket = try Socket.udp()
        let address = try Socket.withAddress(of: "127.0.0.1", 1000) { bind(socket.file, $0, $1) }
        #expect(address == 0)
        try socket.connect(to: "127.0.0.1", 53)
        var nobody = sockaddr(sa_family: sa_family_t(AF_UNSPEC), sa_data: sockaddr().sa_data)
        #expect(Glibc.connect(socket.file, &nobody, socklen_t(MemoryLayout<sockaddr>.size)) == 0)
        #expect(socket.address == "127.0.0.1:1000")
      }
    }

    @Test func `a socket that was duplicated hears on`() async throws {
      let socket = try server.performNow {
        let first = try Socket.udp(port: 53)
        defer { first.close() }
        return Socket(file: dup(first.file))
      }
      try await client.perform {
        for _ in 0..<100 { try Socket.udp().close() }
        try Socket.udp().send("hello", to: "server", 53)
      }
      let heard = try await server.perform { try socket.receiveDatagram() }
      #expect(heard == Datagram("hello", from: "10.0.0.2:49152"))
      #expect(server.performNow { socket.address } == "0.0.0.0:53")
    }
  }
#endif
