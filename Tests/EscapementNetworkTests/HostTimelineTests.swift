#if os(Linux)
  import EscapementNetwork
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  @Suite struct HostTimelineTests {
    private let recording = VirtualTimeOptions(recordsTimeline: true)

    /// The timeline of a scope with a client and a server, whose link has a latency of 40 ms.
    private func timeline(
      _ body:
        @escaping @Sendable (SimulatedNetwork, SimulatedHost, SimulatedHost) async throws -> Void
    ) async throws -> Timeline {
      try #require(
        await withVirtualTime(recording) { time in
          let (network, server, client) = try makeTwoHosts()
          try await body(network, server, client)
          return time.timeline
        })
    }

    /// The steps that are about hosts, from the second instant on.
    private func steps(of timeline: Timeline) -> [String] {
      timeline.text(last: .max).split(separator: "\n").map {
        String($0).replacing(#/ +/#, with: " ")
      }.filter { !$0.contains("task") && !$0.contains("body") }
    }

    @Test func `what hosts send each other`() async throws {
      let timeline = try await timeline { _, server, client in
        server.run { try echo(port: 8080) }
        try await client.perform {
          #expect(throws: Errno(ECONNREFUSED)) { try Socket.connect(to: "server", 81) }
          let socket = try Socket.connect(to: "server", 8080)
          socket.send("hello")
          #expect(try socket.receive() == "hello")
          socket.close()
          try await Task.sleep(for: .seconds(1))
        }
      }
      #expect(
        steps(of: timeline) == [
          "+0.0 seconds server joins the network", "+0.0 seconds client joins the network",
          "+0.08 seconds client learns that server refuses a connection",
          "+0.2 seconds server gets a connection from client, sent at +0.16 seconds",
          "+0.2 seconds server gets 5 bytes from client, sent at +0.16 seconds",
          "+0.24 seconds client gets 5 bytes from server, sent at +0.2 seconds",
          "+0.28 seconds server learns that client sends no more, sent at +0.24 seconds",
          "+0.32 seconds client learns that server sends no more, sent at +0.28 seconds",
        ])
      #expect(timeline.text(last: .max).contains("server: task"))
    }

    @Test func `datagrams`() async throws {
      let timeline = try await timeline { _, server, client in
        server.run {
          let socket = try Socket.udp(port: 53)
          while true { socket.awaitInput(); _ = try socket.receive() }
        }
        try await client.perform {
          try Socket.udp().send("a", to: "server", 53)
          try await Task.sleep(for: .seconds(1))
        }
      }
      #expect(
        steps(of: timeline).dropFirst(2)
          == ["+0.04 seconds server gets a datagram of 1 byte from client, sent at +0.0 seconds"])
    }

    @Test func `faults and their ends`() async throws {
      let timeline = try await timeline { network, server, client in
        network.cut(from: client, to: server)
        network.cut(from: client, to: server)
        network.heal(client, server)
        server.pause()
        server.resume()
        server.crash()
        server.restart()
        server.crash(losingPower: true)
        server.restart()
        server.clockOffset = .seconds(-3)
        server.clockOffset = .seconds(2)
        server.clockOffset = .zero
        server.clockDrift = 0.25
        server.clockDrift = -0.25
        server.clockDrift = 0
        network.nameServer.isDown = true
        network.nameServer.isDown = false
        #expect(network.resetConnections(between: client, and: server) == 0)
      }
      #expect(
        steps(of: timeline).map { String($0.dropFirst(13)) } == [
          "server joins the network", "client joins the network",
          "nothing arrives from client at server any more",
          "what client sends arrives at server again", "server is paused", "server goes on",
          "server crashes", "server restarts", "server loses power", "server restarts",
          "the clock of server is 3.0 seconds behind", "the clock of server is 2.0 seconds ahead",
          "the clock of server is right",
          "the clock of server is right, and gains 0.25 seconds in each second",
          "the clock of server is right, and loses 0.25 seconds in each second",
          "the clock of server is right", "the name server does not answer any more",
          "the name server answers again",
        ])
    }

    @Test func `a page has a lane for each host, and an arrow for each message`() async throws {
      let page = try await timeline { network, server, client in
        server.run { try echo(port: 8080) }
        try await client.perform {
          let socket = try Socket.connect(to: "server", 8080)
          socket.send("hello")
          #expect(try socket.receive() == "hello")
          network.resetConnections(between: client, and: server)
        }
        server.crash()
      }.html()
      #expect(page.contains(#"hosts:[[1,"server"],[2,"client"]],"#))
      #expect(page.contains(#"[1,2,80000000,0,"server gets a connection from client"#))
      #expect(page.contains(#"[2,1,-1,0,"the connections between client and server are reset"]"#))
      #expect(page.contains(#"[1,0,-1,1,"server crashes"]"#))
    }

    @Test func `a trace has a track for each host`() async throws {
      let trace = try await timeline { _, server, _ in server.crash() }.chromeTrace
      #expect(trace.contains(#""name":"thread_name","args":{"name":"server"}"#))
      #expect(trace.contains(#""name":"server crashes""#))
    }
  }
#endif
