#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  @Suite(.virtualTime) struct LinkTests {
    let network: SimulatedNetwork
    let server: SimulatedHost
    let client: SimulatedHost

    init() throws {
      (network, server, client) = try makeTwoHosts()
      server.run { try echo(port: 8080) }
    }

    /// Connects, runs code at an instant after the request was sent, and returns when the answer
    /// has come.
    private func answer(
      after delay: Duration, _ disturb: @escaping @Sendable (SimulatedNetwork) -> Void
    ) async throws -> Duration {
      let network = network
      let socket = try await client.perform { try Socket.connect(to: "server", 8080) }
      Task {
        try await Task.sleep(for: delay)
        disturb(network)
      }
      return try await client.perform {
        try elapsed { (_) throws -> Void in
          socket.send("hello")
          #expect(try socket.receive() == "hello")
        }[0]
      }
    }

    @Test func `a cut link keeps what is due, which arrives one latency after it is healed`()
      async throws
    {
      let (client, server) = (client, server)
      let time = try await answer(after: .zero) { network in
        network.cut(client, server)
        Task {
          try await Task.sleep(for: .seconds(5))
          network.heal(client, server)
        }
      }
      #expect(time == .milliseconds(5080))
    }

    @Test(arguments: [
      // The answer is sent before its way is cut, or after that.
      (39, Duration.milliseconds(1079)), (79, .milliseconds(1119)),
    ])
    func `one direction can be cut by itself`(milliseconds: Int, expected: Duration) async throws {
      let (client, server) = (client, server)
      let time = try await answer(after: .milliseconds(milliseconds)) { network in
        network.cut(from: server, to: client)
        #expect(network.isCut(from: server, to: client))
        #expect(!network.isCut(from: client, to: server))
        Task {
          try await Task.sleep(for: .milliseconds(1000))
          network.heal(from: server, to: client)
        }
      }
      #expect(time == expected)
    }

    @Test func `a reset reaches both sides at once`() async throws {
      let (client, server) = (client, server)
      let socket = try await client.perform { try Socket.connect(to: "server", 8080) }
      Task {
        try await Task.sleep(for: .milliseconds(50))
        #expect(network.resetConnections(between: server, and: client) == 1)
        #expect(network.resetConnections(between: server, and: client) == 0)
      }
      let times = try await client.perform {
        try elapsed { (_) throws -> Void in
          socket.send("hello")
          #expect(throws: Errno(ECONNRESET)) { try socket.receive() }
        }
      }
      #expect(times == [.milliseconds(50)])
    }

    @Test func `a link of its own does not change the others`() async throws {
      let near = network.host("near")
      near.run { try echo(port: 8080) }
      network.setLink(between: client, and: near, LinkQuality(latency: .milliseconds(1)))
      #expect(network.link(from: near, to: client).latency == .milliseconds(1))
      #expect(network.link(from: server, to: client).latency == .milliseconds(40))
      let times = try await client.perform {
        try elapsed { (mark) throws -> Void in
          _ = try Socket.connect(to: "near", 8080)
          mark()
          _ = try Socket.connect(to: "server", 8080)
        }
      }
      #expect(times == [.milliseconds(2), .milliseconds(82)])
    }

    private func cut(if isCut: Bool) async {
      guard isCut else { return }
      try? await Task.sleep(for: .seconds(2))
      network.cut(client, server)
      try? await Task.sleep(for: .seconds(2))
      network.heal(client, server)
    }

    @Test func `what several connections send after a cut shares the line`() async throws {
      network.links.bytesPerSecond = 100_000
      let sink = try await server.perform { try Socket.listen(port: 9090) }
      async let received = server.perform {
        let sockets = try (0..<2).map { _ in try #require(sink.accept()) }
        for socket in sockets { #expect(try socket.drain() == 50_000) }
      }
      try await client.perform {
        for _ in 0..<2 {
          let socket = try Socket.connect(to: "server", 9090)
          #expect(socket.send([UInt8](repeating: 1, count: 50_000)) == 50_000)
          socket.close()
        }
      }
      try await Task.sleep(for: .milliseconds(100))
      network.cut(client, server)
      try await Task.sleep(for: .milliseconds(250))
      network.heal(client, server)
      let start = ContinuousClock.now
      try await received
      // At most what had arrived before, and all else once.
      #expect(ContinuousClock.now - start > .milliseconds(750))
      #expect(ContinuousClock.now - start <= .milliseconds(1040))
    }

    // By second 2, 122 pieces of 16 KiB have come. All others are sent again from second 4 on.
    @Test(arguments: [(false, 5_000_000), (true, 4_040_000 + 5_000_000 - 122 * 16_384)])
    func `5 megabytes take 5 seconds over a link of 1 megabyte a second, and longer if it is cut`(
      isCut: Bool, microseconds: Int
    ) async throws {
      network.links.bytesPerSecond = 1_000_000
      let sink = try await server.perform { try Socket.listen(port: 9090) }
      async let received = server.perform {
        let accepted = try #require(sink.accept())
        let start = ContinuousClock.now
        Task { await cut(if: isCut) }
        #expect(try accepted.drain() == 5_000_000)
        return ContinuousClock.now - start
      }
      try await client.perform {
        let socket = try Socket.connect(to: "server", 9090)
        var rest = [UInt8](repeating: 1, count: 5_000_000)[...]
        while !rest.isEmpty {
          #expect(socket.awaitOutput())
          rest = rest.dropFirst(socket.send(Array(rest.prefix(1 << 16))))
        }
        socket.close()
      }
      #expect(try await received == .microseconds(microseconds))
    }

    @Test(arguments: [
      (LinkQuality(latency: .nanoseconds(-1)), "latency"),
      (LinkQuality(jitter: .seconds(-1)), "jitter"),
      (LinkQuality(bytesPerSecond: 0), "bytes"), (LinkQuality(loss: 1.5), "loss"),
      (LinkQuality(loss: .nan), "loss"), (LinkQuality(shortReads: -0.1), "short reads"),
    ])
    func `a quality that cannot be is reported`(quality: LinkQuality, word: String) async throws {
      let reported = issues { network.links = quality }
      #expect(reported.count == 1)
      #expect(reported.first?.message.contains(word) == true)
    }
  }
#endif
