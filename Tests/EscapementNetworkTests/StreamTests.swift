#if os(Linux)
  import Dispatch
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  /// What a connection carries, and how it ends.
  @Suite(.virtualTime) struct StreamTests {
    let network: SimulatedNetwork
    let server: SimulatedHost
    let client: SimulatedHost

    init() throws {
      (network, server, client) = try makeTwoHosts()
    }

    /// A connection: the client's socket and the server's.
    private func connect() async throws -> (Socket, Socket) {
      let listener = try server.performNow { try Socket.listen(port: 8080) }
      defer { listener.close() }
      async let accepted = server.perform { try #require(listener.accept()) }
      let socket = try await client.perform { try Socket.connect(to: "server", 8080) }
      return (socket, try await accepted)
    }

    @Test func `who has ended sending can still receive`() async throws {
      let (one, other) = try await connect()
      one.send("question")
      one.endSending()
      #expect(try other.receive() == "question")
      #expect(try other.receive() == "")
      other.send("answer")
      other.close()
      #expect(try one.receive() == "answer")
      #expect(try one.receive() == "")
    }

    @Test func `who sends to a side that has closed is reset after a round trip`() async throws {
      let (one, other) = try await connect()
      other.close()
      let times = try elapsed { (mark) throws -> Void in
        #expect(try one.receive() == "")
        mark()
        one.send("hello")
        rest(milliseconds: 79)
        #expect(one.send("again") > 0)
        rest(milliseconds: 1)
        #expect(one.send("late") == -1)
      }
      #expect(times == [.milliseconds(40), .milliseconds(120)])
    }

    @Test func `who closes with something unread resets the other side`() async throws {
      let (one, other) = try await connect()
      one.send("hello")
      other.awaitInput()
      other.close()
      #expect(throws: Errno(ECONNRESET)) { try one.receive() }
    }

    @Test func `what is sent at one instant arrives at one instant, and in order`() async throws {
      let (one, other) = try await connect()
      for number in 0..<100 { one.send("\(number) ") }
      var text = ""
      let times = try elapsed { (_) throws -> Void in
        while !text.hasSuffix("99 ") { text += try other.receive() }
      }
      #expect(text == (0..<100).map { "\($0) " }.joined())
      #expect(times == [.milliseconds(40)])
    }

    @Test func `a slow reader stops the sender`() async throws {
      let (one, other) = try await connect()
      let flags = fcntl(one.file, F_GETFL)
      _ = fcntl(one.file, F_SETFL, flags | O_NONBLOCK)
      let bytes = [UInt8](repeating: 1, count: 1 << 16)
      var sent = 0
      while one.awaitOutput(milliseconds: 10_000) {
        let count = one.send(bytes)
        guard count > 0 else { break }
        sent += count
      }
      // 1 MiB under way, and the buffers of both sockets, whose size depends on the machine.
      #expect(sent > 1 << 20)
      one.close()
      #expect(try other.drain() == sent)
    }

    @Test func `a client that closes before it is accepted has been there`() async throws {
      let listener = try server.performNow { try Socket.listen(port: 8080) }
      try await client.perform {
        let socket = try Socket.connect(to: "server", 8080)
        socket.send("hello")
        socket.close()
      }
      rest(milliseconds: 200)
      let accepted = try #require(listener.accept())
      #expect(accepted.peer == "10.0.0.2:49152")
      #expect(try accepted.receive() == "hello")
      #expect(try accepted.receive() == "")
    }

    @Test func `clients wait for a full queue of the server`() async throws {
      let listener = try server.performNow { try Socket.listen(port: 8080, backlog: 0) }
      client.performNow {
        // Both first packets arrive while the queue is empty.
        for _ in 0..<2 {
          Thread.detachNewThread { _ = try? Socket.connect(to: "server", 8080).send("hello") }
        }
      }
      try await Task.sleep(for: .milliseconds(500))
      let times = try elapsed { (mark) throws -> Void in
        for _ in 0..<2 {
          listener.awaitInput()
          #expect(try listener.accept()?.receive() == "hello")
          mark()
        }
      }
      // The second one has waited for a second since its answer came.
      #expect(times == [.zero, .milliseconds(620), .milliseconds(620)])
    }

    // MARK: Ends

    @Test func `a reset is an error to read, unless the end was read before`() async throws {
      let (one, other) = try await connect()
      one.endSending()
      rest(milliseconds: 100)
      #expect(network.resetConnections(between: client, and: server) == 1)
      #expect(throws: Errno(ECONNRESET)) { try one.receive() }
      #expect(try other.receive() == "")
      #expect(other.pendingError == EPIPE)
      #expect(other.pendingError == 0)
    }

    @Test func `a connection that is over has no peer, and cannot be shut down`() async throws {
      let (one, other) = try await connect()
      for socket in [one, other] { #expect(socket.peer?.hasPrefix("10.") == true) }
      network.resetConnections(between: client, and: server)
      for socket in [one, other] {
        #expect(socket.peer == nil)
        #expect(errno == ENOTCONN)
        #expect(shutdown(socket.file, Int32(SHUT_RDWR)) == -1)
        #expect(errno == ENOTCONN)
      }
    }

    @Test func `an option that does nothing is told as it was set`() async throws {
      let socket = try client.performNow { try Socket.make() }
      var (value, size) = (Int32(1), socklen_t(4))
      #expect(setsockopt(socket.file, Int32(IPPROTO_TCP), TCP_NODELAY, &value, size) == 0)
      value = 0
      #expect(getsockopt(socket.file, Int32(IPPROTO_TCP), TCP_NODELAY, &value, &size) == 0)
      #expect(value == 1)
    }

    @Test func `a server that closes with a request unread resets who has ended sending`()
      async throws
    {
      let (one, other) = try await connect()
      one.send("request")
      one.endSending()
      other.awaitInput()
      other.send("part")
      other.close()
      #expect(throws: Errno(ECONNRESET)) {
        while try !one.receive().isEmpty {}
      }
    }

    @Test func `a connection that is reset before it is accepted is reset when it is`() async throws
    {
      let listener = try server.performNow { try Socket.listen(port: 8080) }
      let socket = try await client.perform { try Socket.connect(to: "server", 8080) }
      socket.send("hello")
      rest(milliseconds: 100)
      #expect(network.resetConnections(between: client, and: server) == 1)
      let accepted = try #require(listener.accept())
      #expect(throws: Errno(ECONNRESET)) {
        while try !accepted.receive().isEmpty {}
      }
    }

    @Test func `who closes without lingering resets the other side`() async throws {
      let (one, other) = try await connect()
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(
        one.file, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
      one.close()
      #expect(throws: Errno(ECONNRESET)) { try other.receive() }
    }

    @Test func `a socket lives on under another number`() async throws {
      let listener = try server.performNow { try Socket.listen(port: 8080) }
      let second = Socket(file: dup(listener.file))
      listener.close()
      let socket = try await client.perform { try Socket.connect(to: "server", 8080) }
      let copy = Socket(file: dup(socket.file))
      socket.close()
      copy.send("hello")
      let accepted = try #require(second.accept())
      #expect(try accepted.receive() == "hello")
      network.resetConnections(between: client, and: server)
      #expect(throws: Errno(ECONNRESET)) { try copy.receive() }
      #expect(copy.address == "10.0.0.2:49152")
    }

    @Test func `a full receiver gets nothing over a cut link`() async throws {
      let (one, other) = try await connect()
      let bytes = [UInt8](repeating: 1, count: 1 << 16)
      _ = fcntl(one.file, F_SETFL, fcntl(one.file, F_GETFL) | O_NONBLOCK)
      var sent = 0
      while one.awaitOutput(milliseconds: 1000), case let count = one.send(bytes), count > 0 {
        sent += count
      }
      network.cut(client, server)
      var buffer = [UInt8](repeating: 0, count: 1 << 16)
      var arrived = 0
      while case let count = recv(other.file, &buffer, buffer.count, Int32(MSG_DONTWAIT)),
        count > 0
      {
        arrived += count
      }
      #expect(!other.awaitInput(milliseconds: 5000))
      network.heal(client, server)
      one.close()
      #expect(try other.drain() == sent - arrived)
    }

    // MARK: Dispatch

    @Test func `a source that writes carries a megabyte, and rests when it has nothing to send`()
      async throws
    {
      let (one, other) = try await connect()
      let log = Log<Int>()
      let queue = DispatchQueue(label: "writer")
      try await client.perform {
        let source = DispatchSource.makeWriteSource(fileDescriptor: one.file, queue: queue)
        source.setEventHandler {
          guard log.entries.reduce(0, +) < 1 << 20 else { return }
          log.append(one.send([UInt8](repeating: 1, count: 1 << 14)))
        }
        source.activate()
        var total = 0
        while total < 1 << 20 { total += try other.receive().utf8.count }
        #expect(total == 1 << 20)
        source.cancel()
      }
    }
  }

  /// In no scope: it would take a slow process for a wait that does not end.
  @Suite struct ManyStreamsTests {
    // Under Thread Sanitizer, it takes a minute.
    @Test(.withoutThreadSanitizer)
    func `a thousand connections that rest do not delay each other`() async {
      // In a process of its own, which may have more files.
      await #expect(processExitsWith: .success) {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try await withVirtualTime { _ in
          let (_, server, client) = try makeTwoHosts()
          let listener = try server.performNow { try Socket.listen(port: 8080) }
          let pairs = try await client.perform {
            try (0..<1000).map { _ in
              let socket = try Socket.connect(to: "server", 8080)
              return (socket, try #require(listener.accept()))
            }
          }
          for (one, other) in [pairs[0], pairs[999]] {
            let times = try elapsed { (_) throws -> Void in
              one.send("hello")
              #expect(try other.receive() == "hello")
            }
            #expect(times == [.milliseconds(40)])
          }
        }
      }
    }
  }
#endif
