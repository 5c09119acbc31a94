#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import EscapementVirtualTime
  import Foundation
  import TestSupport
  import Testing

  /// Datagrams on links that are cut or lossy, and to hosts that crash and stand still.
  @Suite struct DatagramFaultTests {
    /// A server that notes what it hears, at each of its lives.
    private static func listen(_ host: SimulatedHost, _ heard: Log<String>) {
      host.run {
        let socket = try Socket.udp(port: 53)
        Thread.detachNewThread {
          while let datagram = try? socket.receiveDatagram() { heard.append(datagram.text) }
          socket.close()
        }
      }
    }

    /// Sends a count each second, while something is done to a network with a latency of 40 ms;
    /// returns what was heard.
    private static func count(
      to last: Int = 5,
      _ disturb:
        @escaping @Sendable (SimulatedNetwork, _ server: SimulatedHost) async throws -> Void
    ) async throws -> [String] {
      let heard = Log<String>()
      let (network, server, client) = try makeTwoHosts()
      listen(server, heard)
      async let disturbed: Void = disturb(network, server)
      try await client.perform {
        let socket = try Socket.udp()
        defer { socket.close() }
        for number in 1...last {
          try socket.send("\(number)", to: "server", 53)
          try await Task.sleep(for: .seconds(1))
        }
      }
      try await disturbed
      try await Task.sleep(for: .seconds(10))
      return heard.entries
    }

    @Test func `a cut link loses what is sent, and what is under way`() async throws {
      try await withVirtualTime { _ in
        let heard = try await Self.count { network, server in
          let client = network.host("client")
          try await Task.sleep(for: .milliseconds(1020))
          network.cut(from: client, to: server)
          try await Task.sleep(for: .milliseconds(1000))
          network.heal(from: client, to: server)
        }
        // The second one was under way. The third one was sent before the link was whole.
        #expect(heard == ["1", "4", "5"])
      }
    }

    @Test(arguments: [false, true])
    func `a host that has crashed hears nothing until it is back`(losesPower: Bool) async throws {
      try await withVirtualTime { _ in
        let heard = try await Self.count { _, server in
          try await Task.sleep(for: .milliseconds(1020))
          server.crash(losingPower: losesPower)
          try await Task.sleep(for: .milliseconds(2000))
          server.restart()
        }
        #expect(heard == ["1", "4", "5"])
      }
    }

    @Test func `a host that is paused hears all when it goes on`() async throws {
      try await withVirtualTime { _ in
        let heard = try await Self.count { _, server in
          try await Task.sleep(for: .milliseconds(1020))
          server.pause()
          try await Task.sleep(for: .seconds(2))
          server.resume()
        }
        #expect(heard == ["1", "2", "3", "4", "5"])
      }
    }

    @Test(arguments: UInt64(0)..<5)
    func `threads that share a socket get each datagram once, with its sender`(
      seed: UInt64
    ) async throws {
      try await withVirtualTime(order: .seed(seed)) { _ in
        let (_, server, client) = try makeTwoHosts()
        let heard = Log<Datagram>()
        let socket = try server.performNow { try Socket.udp(port: 53) }
        server.performNow {
          for _ in 0..<3 {
            Thread.detachNewThread {
              // Not until the socket is closed: others may have its number by then.
              while let datagram = try? socket.receiveDatagram(), datagram.text != "end" {
                heard.append(datagram)
              }
            }
          }
        }
        try await client.perform {
          let senders = try (1...2).map { try Socket.udp(port: $0) }
          for number in 0..<50 {
            for (index, sender) in senders.enumerated() {
              try sender.send("\(index + 1)", to: "server", 53)
            }
            if number % 7 == 0 { try await Task.sleep(for: .milliseconds(1)) }
          }
          for _ in 0..<3 { try senders[0].send("end", to: "server", 53) }
          for sender in senders { sender.close() }
        }
        try await Task.sleep(for: .seconds(1))
        #expect(heard.entries.count == 100)
        #expect(heard.entries.allSatisfy { $0.sender == "10.0.0.2:\($0.text)" })
        socket.close()
      }
    }

    @Test func `what a host has sent before it crashes arrives`() async throws {
      try await withVirtualTime { _ in
        let heard = Log<String>()
        let (_, server, client) = try makeTwoHosts()
        Self.listen(server, heard)
        client.performNow {
          guard let socket = try? Socket.udp() else { return }
          try? socket.connect(to: "server", 53)
          socket.send("last words")
        }
        client.crash()
        try await Task.sleep(for: .seconds(1))
        #expect(heard.entries == ["last words"])
      }
    }

    struct Heard: Error, CustomStringConvertible {
      let description: String
    }

    @Test(arguments: [
      (LinkQuality(loss: 0.2), "a packet is lost, from client to server"),
      (LinkQuality(duplication: 0.2), "a packet comes twice, from client to server"),
      (LinkQuality(jitter: .seconds(3)), "a packet takes longer, from client to server (1 of 7)"),
    ])
    func `what a link draws is found, made small and replayed`(
      links: LinkQuality, step: String
    ) async throws {
      /// Fails if the datagrams have not come once, and in their order.
      func play() async throws {
        let heard = try await Self.count(to: 4) { network, _ in network.links = links }
        if heard != ["1", "2", "3", "4"] { throw Heard(description: "\(heard)") }
      }
      let report = try await withExploration(300) { _ in try await play() }
      let failure = try #require(report.failure)
      #expect(failure.steps.count == 1, "\(failure)")
      #expect(report.firstDifference == nil)
      let isNamed = failure.steps.first?.contains(step.prefix { $0 != "(" }) == true
      #expect(isNamed, "\(failure)")
      await #expect(throws: Heard.self) {
        try await withVirtualTime(order: .schedule("\(failure.schedule)")) { _ in
          try await play()
        }
      }
    }

    @Test func `a scope that explores nothing loses and doubles nothing`() async throws {
      try await withVirtualTime { _ in
        let heard = try await Self.count { network, _ in
          network.links = LinkQuality(jitter: .seconds(3), loss: 1, duplication: 1)
        }
        #expect(heard == ["1", "2", "3", "4", "5"])
      }
    }

    @Test func `code of no host that sends to one is told so`() async throws {
      let reported = try await issues {
        try await withVirtualTime { _ in
          _ = try SimulatedNetwork().host("server")
          let socket = try Socket.udp()
          #expect(throws: Errno(ENETUNREACH)) { try socket.send("a", to: "10.0.0.1", 53) }
          socket.close()
          try await Task.sleep(for: .seconds(1))
        }
      }
      #expect(reported.count == 1)
      #expect(reported.first?.message.contains("port 53 of host 'server'") == true)
      #expect(reported.first?.message.contains("host.perform") == true)
    }

    @Test(arguments: [false, true])
    func `threads that wait for datagrams go on when the network ends`(
      wantsSender: Bool
    ) async throws {
      let (goesOn, hasGoneOn) = AsyncStream<Void>.makeStream()
      try await withVirtualTime { _ in
        let network = try SimulatedNetwork()
        try network.host("server").performNow {
          let socket = try Socket.udp(port: 53)
          Thread.detachNewThread {
            #expect(throws: Errno(ENETDOWN)) {
              var byte = UInt8(0)
              if wantsSender { _ = try socket.receiveDatagram() }
              guard recv(socket.file, &byte, 1, 0) >= 0 else { throw Errno() }
            }
            socket.close()
            hasGoneOn.finish()
          }
        }
        try await Task.sleep(for: .seconds(1))
      }
      for await _ in goesOn {}
    }
  }
#endif
