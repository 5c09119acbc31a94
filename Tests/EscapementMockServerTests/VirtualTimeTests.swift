#if MockServer
  import EscapementMockHTTP
  import EscapementMockServer
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  // Where queues are real, so are the connections, and the machine may be busy.
  @Suite(.virtualTime(.init(stallLimit: .seconds(30)))) struct VirtualTimeTests {
    @Test func `an answer with a delay of 30 seconds takes no real time`() async throws {
      let time = try #require(VirtualTime.current)
      try await withMockServer { server in
        server.stub(.get, "/", returns: .text("slow").delayed(by: .seconds(30)))
        let loaded = try await load("/", from: server)
        #expect(loaded.text == "slow")
        #expect(time.now.offset == .seconds(30))
      }
    }

    @Test(.virtualStandardClocks) func `a handler waits in the time of the scope`() async throws {
      let time = try #require(VirtualTime.current)
      try await withMockServer { server in
        server.stub(.get, "/") { _ in
          try await Task.sleep(for: .seconds(500))
          return .text("\(VirtualTime.current?.now.offset == .seconds(500))")
        }
        let loaded = try await load("/", from: server)
        #expect(loaded.text == "true")
        #expect(time.now.offset == .seconds(500))
      }
    }

    @Test(.virtualStandardClocks) func `a request needs no hold beside a task that sleeps`()
      async throws
    {
      let time = try #require(VirtualTime.current)
      let timeout = Task { try await Task.sleep(for: .seconds(60)) }
      try await withMockServer { server in
        server.stub(.get, "/", returns: .text("slow").delayed(by: .seconds(59)))
        let loaded = try await load("/", from: server)
        #expect(loaded.text == "slow")
        #expect(time.now.offset == .seconds(59))
      }
      timeout.cancel()
    }

    @Test(.virtualStandardClocks) func `a request times out in virtual time`() async throws {
      let time = try #require(VirtualTime.current)
      try await withMockServer { server in
        let stub = server.stub(.get, "/", returns: .never)
        let code = await errorCode { _ = try await load("/", from: server) }
        #expect(code == .timedOut)
        // Foundation takes a millisecond off the time-out of the configuration, 600 s.
        #expect(time.now.offset == .milliseconds(599_999))
        try await stub.wait(forCancellationCount: 1)
        #expect(time.now.offset == .milliseconds(599_999))
      }
    }

    @Test func `a body in chunks comes one byte each second`() async throws {
      let time = try #require(VirtualTime.current)
      try await withMockServer { server in
        let bytes = "drip".utf8.map { Data([$0]) }
        server.stub(.get, "/", returns: .chunks(bytes, every: .seconds(1)))
        let loaded = try await load("/", from: server)
        #expect(loaded.text == "drip")
        #expect(time.now.offset == .seconds(3))
      }
    }

    @Test func `time stands while a client holds it`() async throws {
      let time = try #require(VirtualTime.current)
      let ticks = Task {
        for _ in 0..<1_000 { try await Task.sleep(for: .seconds(1)) }
      }
      try await withMockServer { server in
        server.stub(.get, "/", returns: .data(Data(count: 1_000_000)))
        for _ in 0..<10 {
          let loaded = try await time.hold { try await load("/", from: server) }
          #expect(loaded.status == 200)
        }
        #expect(time.now.offset == .zero)
      }
      ticks.cancel()
      _ = await ticks.result
    }

    @Test func `the stop takes no time even if requests hang`() async throws {
      let time = try #require(VirtualTime.current)
      let server = try await MockServer.start()
      let never = server.stub(.get, "/never", returns: .never)
      let slow = server.stub(.get, "/slow", returns: .text("").delayed(by: .seconds(3600)))
      let clients = try [RawClient(server.url), RawClient(server.url)]
      try clients[0].send("GET /never HTTP/1.1\r\nHost: me\r\n\r\n")
      try await time.hold {
        try await never.wait(forCallCount: 1)
        try clients[1].send("GET /slow HTTP/1.1\r\nHost: me\r\n\r\n")
        try await slow.wait(forCallCount: 1)
        await server.stop()
      }
      #expect(time.now.offset == .zero)
      for client in clients {
        #expect(await client.receiveAll() == ("", .closed))
        try client.close()
      }
    }

    @Test func `retries of a flaky server take no real time`() async throws {
      let time = try #require(VirtualTime.current)
      try await withMockServer { server in
        server.stub(.get, "/", returns: .status(503)).times(3).then(.text("at last"))
        var delay = Duration.seconds(1)
        while try await load("/", from: server).status != 200 {
          try await Task.sleep(for: delay)
          delay *= 2
        }
        #expect(time.now.offset == .seconds(7))
      }
    }
  }

  @Suite struct ServerLeftOverTests {
    @Test func `a server that is not stopped ends with the scope`() async throws {
      try await withVirtualTime(VirtualTimeOptions(leftovers: .ignore, stallLimit: .seconds(30))) {
        _ in
        let server = try await MockServer.start()
        server.stub(.get, "/", returns: .text("up")).optional()
        let loaded = try await load("/", from: server)
        #expect(loaded.text == "up")
      }
    }
  }
#endif
