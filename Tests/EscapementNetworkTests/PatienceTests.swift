#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import Testing

  /// When a connection is given up, because nothing is heard of the other side.
  @Suite(.virtualTime) struct PatienceTests {
    let network: SimulatedNetwork
    let server: SimulatedHost
    let client: SimulatedHost

    init() throws {
      (network, server, client) = try makeTwoHosts()
    }

    /// A connection whose server sends back what comes.
    ///
    /// It is idle.
    private func connect() async throws -> Socket {
      server.run { try echo(port: 80) }
      return try await client.perform {
        let socket = try Socket.connect(to: "server", 80)
        socket.send("hello")
        #expect(try socket.receive() == "hello")
        return socket
      }
    }

    /// When a socket of the client has an error, and which, after the virtual time now.
    private func awaitError(_ socket: Socket) async throws -> (after: Duration, error: Errno) {
      try await client.perform {
        let start = ContinuousClock.now
        socket.awaitInput()
        return (ContinuousClock.now - start, Errno(socket.pendingError))
      }
    }

    private static func set(_ socket: Socket, _ option: Int32, _ value: Int32) {
      var value = value
      let level = option == SO_KEEPALIVE ? SOL_SOCKET : Int32(IPPROTO_TCP)
      #expect(setsockopt(socket.file, level, option, &value, 4) == 0)
      var (read, size) = (Int32(0), socklen_t(4))
      getsockopt(socket.file, level, option, &read, &size)
      #expect(read == value)
    }

    @Test func `what is sent over a cut link is given up after 924 seconds`() async throws {
      let socket = try await connect()
      network.cut(client, server)
      client.performNow { _ = socket.send("lost") }
      let end = try await awaitError(socket)
      #expect(end.after == .milliseconds(924_600))
      #expect(end.error == Errno(ETIMEDOUT))
    }

    @Test(arguments: [true, false])
    func `what is sent arrives if the link is healed before`(isCutAtOnce: Bool) async throws {
      let socket = try await connect()
      if isCutAtOnce { network.cut(client, server) }
      client.performNow { _ = socket.send("late") }
      // Under way when the link is cut.
      if !isCutAtOnce { try await Task.sleep(for: .milliseconds(20)) }
      network.cut(client, server)
      try await Task.sleep(for: .milliseconds(924_500))
      network.heal(client, server)
      let answer = try await client.perform { try socket.receive() }
      #expect(answer == "late")
      try await Task.sleep(for: .seconds(10_000))
      #expect(client.performNow { socket.pendingError } == 0)
    }

    @Test func `a program sets its own limit`() async throws {
      let socket = try await connect()
      client.performNow { Self.set(socket, TCP_USER_TIMEOUT, 5000) }
      network.cut(from: client, to: server)
      client.performNow { _ = socket.send("lost") }
      let end = try await awaitError(socket)
      #expect(end.after == .seconds(5))
      #expect(end.error == Errno(ETIMEDOUT))
    }

    @Test func `the other side is not told, and is answered with a reset`() async throws {
      let accepted = try await server.perform {
        let listener = try Socket.listen(port: 80)
        let socket = try await client.perform { try Socket.connect(to: "server", 80) }
        let accepted = try #require(listener.accept())
        client.performNow { Self.set(socket, TCP_USER_TIMEOUT, 5000) }
        network.cut(client, server)
        client.performNow { _ = socket.send("lost") }
        try await Task.sleep(for: .seconds(100))
        return accepted
      }
      network.heal(client, server)
      try await server.perform { () throws -> Void in
        #expect(!accepted.awaitInput(milliseconds: 1000))
        #expect(accepted.send("still there?") == 12)
        let times = try elapsed { (_) throws -> Void in
          #expect(throws: Errno(ECONNRESET)) { try accepted.receive() }
        }
        #expect(times == [.milliseconds(80)])
      }
    }

    /// Asks after 10 s, and up to three times, 5 s apart.
    private static func keepAlive(_ socket: Socket) {
      set(socket, SO_KEEPALIVE, 1)
      set(socket, TCP_KEEPIDLE, 10)
      set(socket, TCP_KEEPINTVL, 5)
      set(socket, TCP_KEEPCNT, 3)
    }

    @Test(arguments: [
      (Duration.seconds(2), Duration.seconds(23)),
      (.seconds(9), .seconds(16)),
      // The first question was answered after 10.08 s.
      (.seconds(11), .milliseconds(24_080)),
      (.seconds(1000), .milliseconds(22_920)),
    ])
    func `an idle connection that is kept alive is given up after the last question`(
      rest: Duration, end: Duration
    ) async throws {
      let socket = try await connect()
      client.performNow { Self.keepAlive(socket) }
      try await Task.sleep(for: rest)
      network.cut(from: server, to: client)
      let given = try await awaitError(socket)
      #expect(given.after == end)
      #expect(given.error == Errno(ETIMEDOUT))
    }

    @Test func `an option that is set after the cut counts as well`() async throws {
      let socket = try await connect()
      network.cut(from: server, to: client)
      client.performNow { Self.keepAlive(socket) }
      let given = try await awaitError(socket)
      #expect(given.after == .seconds(25))
      #expect(given.error == Errno(ETIMEDOUT))
    }

    @Test(arguments: [
      (TCP_KEEPIDLE, 0, 1), (TCP_KEEPIDLE, 32_768, 32_767), (TCP_KEEPINTVL, 0, 1),
      (TCP_KEEPINTVL, -1, 1), (TCP_KEEPCNT, 0, 1), (TCP_KEEPCNT, 128, 127),
      (TCP_USER_TIMEOUT, -1, 0),
    ])
    func `a value that TCP does not take is refused`(
      option: Int32, wrong: Int32, right: Int32
    ) async throws {
      let socket = try await connect()
      for (value, isRight) in [(wrong, false), (right, true)] {
        var value = value
        let result = client.performNow {
          setsockopt(socket.file, Int32(IPPROTO_TCP), option, &value, 4)
        }
        #expect((result == 0) == isRight)
        if !isRight { #expect(errno == EINVAL) }
      }
    }

    @Test func `an idle connection that is not kept alive stays`() async throws {
      let socket = try await connect()
      network.cut(client, server)
      let hasInput = try await client.perform { socket.awaitInput(milliseconds: 100_000_000) }
      #expect(!hasInput)
    }

    @Test func `a link that is healed before the last question keeps the connection`()
      async throws
    {
      let socket = try await connect()
      client.performNow { Self.keepAlive(socket) }
      for _ in 0..<5 {
        network.cut(client, server)
        try await Task.sleep(for: .seconds(14))
        network.heal(client, server)
        try await Task.sleep(for: .seconds(20))
      }
      let answer = try await client.perform {
        socket.send("there")
        return try socket.receive()
      }
      #expect(answer == "there")
    }

    @Test func `a machine without power is given up after the last question`() async throws {
      let socket = try await connect()
      client.performNow { Self.keepAlive(socket) }
      server.crash(losingPower: true)
      let (after, error) = try await awaitError(socket)
      #expect(after == .seconds(25))
      #expect(error == Errno(ETIMEDOUT))
    }

    @Test(arguments: [(3000, 10_080), (12_000, 15_080), (15_040, 15_080), (15_041, 20_080)])
    func `a machine that is back answers the next question that arrives with a reset`(
      restart: Int, end: Int
    ) async throws {
      let socket = try await connect()
      client.performNow { Self.keepAlive(socket) }
      server.crash(losingPower: true)
      async let given = awaitError(socket)
      try await Task.sleep(for: .milliseconds(restart))
      server.restart()
      let (after, error) = try await given
      #expect(after == .milliseconds(end))
      #expect(error == Errno(ECONNRESET))
    }

    @Test func `an accepted socket has the options of its listener`() async throws {
      let ends = try await server.perform {
        let listener = try Socket.listen(port: 80)
        Self.keepAlive(listener)
        let socket = try await client.perform { try Socket.connect(to: "server", 80) }
        let accepted = try #require(listener.accept())
        network.cut(client, server)
        let start = ContinuousClock.now
        accepted.awaitInput()
        socket.close()
        return (ContinuousClock.now - start, accepted.pendingError)
      }
      #expect(ends.0 == .seconds(25))
      #expect(ends.1 == ETIMEDOUT)
    }
  }
#endif
