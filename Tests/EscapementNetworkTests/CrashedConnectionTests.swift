#if os(Linux)
  import CEventFiles
  import EscapementNetwork
  import EscapementTesting
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// The crash of a host, as the other side sees it over links of 40 ms.
  @Suite(.virtualTime) struct CrashedConnectionTests {
    /// Connects a client to a server that never reads, crashes the server, and waits.
    private func crash(
      losingPower: Bool, afterSending text: String = ""
    ) async throws -> (server: SimulatedHost, client: SimulatedHost, Socket) {
      let (_, server, client) = try makeTwoHosts()
      server.run { try Self.keepClients() }
      let socket = try await client.perform {
        let socket = try Socket.connect(to: "server", 80)
        if !text.isEmpty { socket.send(text) }
        return socket
      }
      try await Task.sleep(for: .seconds(1))
      server.crash(losingPower: losingPower)
      return (server, client, socket)
    }

    private static func keepClients() throws {
      let listener = try Socket.listen(port: 80)
      Thread.detachNewThread { while listener.accept() != nil {} }
    }

    @Test func `a client reads the end after the latency`() async throws {
      let (_, client, socket) = try await crash(losingPower: false)
      let times = try await client.perform {
        try elapsed { (mark) throws -> Void in
          #expect(try socket.receive() == "")
          mark()
        }
      }
      #expect(times[0] == .milliseconds(40))
    }

    @Test func `a client whose bytes were not read is reset after the latency`() async throws {
      let (_, client, socket) = try await crash(losingPower: false, afterSending: "unread")
      let times = try await client.perform {
        try elapsed { (mark) throws -> Void in
          #expect(throws: Errno(ECONNRESET)) { try socket.receive() }
          mark()
        }
      }
      #expect(times[0] == .milliseconds(40))
    }

    @Test func `what is sent to a dead host is answered with a reset`() async throws {
      let (_, client, socket) = try await crash(losingPower: false)
      try await client.perform {
        rest(milliseconds: 1000)
        socket.send("hello")
        rest(milliseconds: 81)
        // It has heard the end before.
        #expect(socket.pendingError == EPIPE)
      }
    }

    @Test(arguments: [(false, ECONNREFUSED, 0.08), (true, ETIMEDOUT, 127)])
    func `a host that has crashed refuses, and one without power does not answer`(
      losesPower: Bool, error: Int32, seconds: Double
    ) async throws {
      let (_, client, _) = try await crash(losingPower: losesPower)
      let times = try await client.perform {
        try elapsed { (mark) throws -> Void in
          #expect(throws: Errno(error)) { try Socket.connect(to: "server", 80) }
          mark()
        }
      }
      #expect(times[0] == .seconds(seconds))
    }

    @Test func `nobody is told that a machine has lost power, until it is back and asked`()
      async throws
    {
      let (server, client, socket) = try await crash(losingPower: true)
      try await client.perform {
        #expect(!socket.awaitInput(milliseconds: 100_000))
        socket.send("hello")
        #expect(!socket.awaitInput(milliseconds: 100_000))
      }
      server.restart()
      let times = try await client.perform {
        try elapsed { (mark) throws -> Void in
          #expect(throws: Errno(ECONNRESET)) { try socket.receive() }
          mark()
          _ = try Socket.connect(to: "server", 80)
          mark()
        }
      }
      // What was sent before is sent again.
      #expect(times[0] == .milliseconds(80))
      #expect(times[1] == .milliseconds(160))
    }

    @Test func `what had no room in a machine that lost power is answered with a reset, too`()
      async throws
    {
      let (_, server, client) = try makeTwoHosts()
      server.run { try Self.keepClients() }
      let socket = try await client.perform {
        let socket = try Socket.connect(to: "server", 80)
        _ = fcntl(socket.file, F_SETFL, O_NONBLOCK)
        for _ in 0..<20 {
          socket.send([UInt8](repeating: 1, count: 1 << 20))
          rest(milliseconds: 100)
        }
        return socket
      }
      server.crash(losingPower: true)
      server.restart()
      let times = try await client.perform {
        try elapsed { (mark) throws -> Void in
          #expect(throws: Errno(ECONNRESET)) { try socket.receive() }
          mark()
        }
      }
      #expect(times[0] == .milliseconds(80))
    }

    @Test func `an attempt to connect to a machine without power succeeds when it is back`()
      async throws
    {
      let (server, client, _) = try await crash(losingPower: true)
      async let back: Void = {
        try? await Task.sleep(for: .seconds(10))
        server.restart()
      }()
      let times = try await client.perform {
        try elapsed { (mark) throws -> Void in
          _ = try Socket.connect(to: "server", 80)
          mark()
        }
      }
      #expect(times[0] == .milliseconds(10_080))
      await back
    }

    @Test func `a client that crashes is gone for its server, and its port is free`() async throws {
      let (_, server, client) = try makeTwoHosts()
      let log = Log<String>()
      server.run {
        let listener = try Socket.listen(port: 80)
        Thread.detachNewThread {
          while let client = listener.accept() {
            log.append((try? client.receive()) ?? "reset")
            client.close()
          }
        }
      }
      client.run {
        _ = try Socket.connect(to: "server", 80)
        try echo(port: 7)
      }
      for _ in 0..<3 {
        try await Task.sleep(for: .seconds(1))
        client.restart()
      }
      try await Task.sleep(for: .seconds(1))
      #expect(log.entries == ["", "", ""])
    }

    @Test func `a paused server accepts and is sent to, and answers when it goes on`() async throws
    {
      let (_, server, client) = try makeTwoHosts()
      server.run { try echo(port: 80) }
      try await Task.sleep(for: .seconds(1))
      server.pause()
      async let resumed: Void = {
        try? await Task.sleep(for: .seconds(10))
        server.resume()
      }()
      let times = try await client.perform {
        try elapsed { (mark) throws -> Void in
          let socket = try Socket.connect(to: "server", 80)
          mark()
          socket.send("hello")
          #expect(try socket.receive() == "hello")
          mark()
        }
      }
      #expect(times[0] == .milliseconds(80))
      #expect(times[1] == .milliseconds(10_040))
      await resumed
    }
  }

  /// The open files and the threads of this process.
  private enum ProcessFiles {
    /// How many crashes there are; more of them look for what leaks seldom.
    static let rounds = TestSupport.rounds(800)

    /// How many files (`fd`) or threads (`task`) there are.
    static func count(_ kind: String) -> Int {
      (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(kind)").count) ?? 0
    }
  }

  @Suite struct CrashLeftoverTests {
    @Test func `a host that has crashed is not told of the end of the scope`() async throws {
      let log = Log<String>()
      try await withVirtualTime { _ in
        let host = try SimulatedNetwork().host("host")
        host.run {
          try await withTaskCancellationHandler {
            try await Task.sleep(for: .seconds(60))
          } onCancel: {
            log.append("cancelled")
          }
        }
        try await Task.sleep(for: .seconds(1))
        host.crash()
      }
      #expect(log.entries == [])
    }

    @Test(.withoutThreadSanitizer)
    func `crashes leave no file and no thread, however often`() async {
      // In a process of its own: other tests have files and threads, too.
      await #expect(processExitsWith: .success) {
        try await withVirtualTime { _ in
          let (_, server, client) = try makeTwoHosts()
          server.run {
            try echo(port: 80)
            let questions = try Socket.udp(port: 53)
            Thread.detachNewThread { while (try? questions.receiveDatagram()) != nil {} }
            _ = (make_epoll(), make_eventfd(false), make_timerfd(CLOCK_MONOTONIC), makePair())
            while true { sleep(1) }
          }
          let asking = try client.performNow { try Socket.udp() }
          /// The most files and threads that there are in some rounds.
          func most(in rounds: Int) async throws -> (files: Int, threads: Int) {
            var (files, threads) = (0, 0)
            for round in 0..<rounds {
              try await client.perform {
                let socket = try Socket.connect(to: "server", 80)
                socket.send("hello")
                #expect(try socket.receive() == "hello")
                socket.close()
                try asking.send("hello", to: "server", 53)
              }
              server.crash(losingPower: round % 3 == 0)
              try await Task.sleep(for: .milliseconds(100))
              server.restart()
              await Task.yield()
              files = max(files, ProcessFiles.count("fd"))
              threads = max(threads, ProcessFiles.count("task"))
            }
            return (files, threads)
          }
          // The first rounds make what the process keeps.
          _ = try await most(in: 10)
          let before = try await most(in: 10)
          let after = try await most(in: ProcessFiles.rounds)
          // Some are on their way to their end, more of them on a busy machine, but no more in more
          // rounds.
          #expect(after.files <= before.files + 50, "\(before) \(after)")
          #expect(after.threads <= before.threads + 50, "\(before) \(after)")
        }
      }
    }

    @Test func `a crash leaves a file alone that has the number of a closed one`() async {
      await #expect(processExitsWith: .success) {
        try await withVirtualTime { _ in
          let host = try SimulatedNetwork().host("host")
          let kept = make_epoll()
          let number = host.performNow {
            let number = make_epoll()
            close(number)
            return number
          }
          // The engine may have the number for a moment, to read what a thread does.
          while case let copy = fcntl(kept, F_DUPFD, number), copy != number { close(copy) }
          let others = host.performNow { makePair() }
          // This closes a socket, too.
          dup2(kept, others[0])
          let socket = inode(of: others[1])
          host.crash()
          #expect(fcntl(number, F_GETFD) >= 0)
          #expect(fcntl(others[0], F_GETFD) >= 0)
          #expect(inode(of: others[1]) != socket)
        }
      }
    }

    @Test func `an event loop of others learns that a socket of a crashed host is closed`() async {
      await #expect(processExitsWith: .success) {
        try await withVirtualTime { _ in
          let host = try SimulatedNetwork().host("host")
          let (loop, bell) = (make_epoll(), make_eventfd(false))
          add_to_epoll(loop, bell)
          var ready = [Int32](repeating: 0, count: 16)
          for _ in 0..<3 {
            // The second socket is not given to the loop before the crash.
            let sockets = try host.performNow {
              write_eventfd(bell, 1)
              let sockets = [try Socket.listen(port: 80), try Socket.listen(port: 81)]
              add_to_epoll(loop, sockets[0].file)
              return sockets.map(\.file)
            }
            host.restart()
            add_to_epoll(loop, sockets[1])
            #expect(wait_for_epoll(loop, -1, &ready) == 3)
            for socket in sockets {
              #expect(ready[..<3].contains(socket))
              #expect(recv(socket, &ready, 1, 0) == 0)
              close(socket)
            }
            ready = ready.map { _ in 0 }
          }
        }
      }
    }

    @Test(.withoutThreadSanitizer)
    func `sockets that are closed leave room for as many files`() async {
      await #expect(processExitsWith: .success) {
        // The process has files of its parent.
        let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        var limit = rlimit(rlim_cur: rlim_t(files + 300), rlim_max: rlim_t(files + 300))
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        try await withVirtualTime { _ in
          try await SimulatedNetwork().host("host").perform {
            for _ in 0..<10 {
              let sockets = try (0..<120).map { _ in try Socket.udp() }
              for socket in sockets { socket.close() }
            }
          }
        }
      }
    }

    @Test func `a test that waits for a paused host is told so`() async throws {
      let reported = await issues {
        await #expect(throws: (any Error).self) {
          try await withVirtualTime { _ in
            let host = try SimulatedNetwork().host("host")
            let answers = AsyncStream<Int>.makeStream()
            host.run {
              try await Task.sleep(for: .seconds(5))
              answers.continuation.yield(1)
            }
            await Task.yield()
            host.pause()
            for await _ in answers.stream { break }
            try Task.checkCancellation()
          }
        }
      }
      #expect(reported.count == 1)
      #expect(
        reported.first?.message.contains("which waits for its host, which is paused or suspended")
          == true)
    }
  }

  /// The number of an open file's inode, which no other file has.
  private func inode(of file: Int32) -> ino_t? {
    var status = stat()
    return fstat(file, &status) == 0 ? status.st_ino : nil
  }

  /// Two sockets that are connected.
  private func makePair() -> [Int32] {
    var pair: [Int32] = [-1, -1]
    socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair)
    return pair
  }
#endif
