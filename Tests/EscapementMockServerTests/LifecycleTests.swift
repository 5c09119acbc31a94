#if MockServer
  import EscapementMockHTTP
  import EscapementMockServer
  import EscapementTesting
  import FlyingSocks
  import Foundation
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  @Suite struct LifecycleTests {
    private let request = "GET / HTTP/1.1\r\nHost: me\r\n\r\n"

    @Test func `a port in use is an error that names it`() async throws {
      let server = try await MockServer.start()
      let port = UInt16(try #require(server.url.port))
      await #expect(throws: MockServerError.portInUse(port)) {
        try await MockServer.start(port: port)
      }
      #expect(
        "\(MockServerError.portInUse(port))".contains(
          "the port \(port), because the port is in use"))
      await server.stop()
    }

    @Test func `a port can be used again after the stop`() async throws {
      try await oftenEnough {
        let server = try await MockServer.start()
        let port = UInt16(try #require(server.url.port))
        server.stub(.get, "/", returns: .text("first")).optional()
        #expect(try await load("/", from: server).text == "first")
        await server.stop()
        try await withMockServer(port: port) { server in
          server.stub(.get, "/", returns: .text("second"))
          let loaded = try await load("/", from: server)
          #expect(loaded.text == "second")
        }
      }
    }

    @Test func `a stopped server accepts no connections`() async throws {
      try await oftenEnough {
        let server = try await MockServer.start()
        await server.stop()
        await server.stop()
        // A socket that has the port and does not listen keeps it from other servers.
        let keeper = try Socket(domain: AF_INET)
        defer { try? keeper.close() }
        let port = UInt16(try #require(server.url.port))
        do {
          try keeper.bind(to: .inet(ip4: "127.0.0.1", port: port))
        } catch {
          throw MockServerError.portInUse(port)
        }
        let code = await errorCode { _ = try await load("/", from: server) }
        #expect(code == .cannotConnectToHost)
      }
    }

    /// Repeats a test whose port another program may take, up to ten times.
    private func oftenEnough(_ body: () async throws -> Void) async throws {
      for _ in 1..<10 {
        do { return try await body() } catch MockServerError.portInUse {}
      }
      try await body()
    }

    @Test func `the stop closes idle connections and cancels requests that hang`()
      async throws
    {
      let server = try await MockServer.start()
      let never = server.stub(.get, "/never", returns: .never)
      let handler = server.stub(.get, "/handler") { _ in
        try await Task.sleep(for: .seconds(3600))
        return .text("late")
      }
      let clients = try [RawClient(server.url), RawClient(server.url), RawClient(server.url)]
      try clients[1].send("GET /never HTTP/1.1\r\nHost: me\r\n\r\n")
      try clients[2].send("GET /handler HTTP/1.1\r\nHost: me\r\n\r\n")
      try await never.wait(forCallCount: 1)
      try await handler.wait(forCallCount: 1)
      await server.stop()
      for client in clients {
        #expect(await client.receiveAll() == ("", .closed))
        try client.close()
      }
      // The clients have not cancelled anything.
      #expect(never.cancellationCount + handler.cancellationCount == 0)
    }

    @Test func `a client that disconnects cancels the handler`() async throws {
      try await withMockServer { server in
        let (ended, end) = AsyncStream.makeStream(of: Bool.self)
        let stub = server.stub(.get, "/") { _ in
          try? await Task.sleep(for: .seconds(3600))
          end.yield(Task.isCancelled)
          return .text("late")
        }
        let client = try RawClient(server.url)
        try client.send(request)
        try await stub.wait(forCallCount: 1)
        #expect(stub.cancellationCount == 0)
        try client.close()
        try await stub.wait(forCancellationCount: 1)
        #expect(await ended.first { _ in true } == true)
      }
    }

    @Test func `a session that cancels a request cancels the handler`() async throws {
      try await withMockServer { server in
        let stub = server.stub(.get, "/", returns: .never)
        let session = URLSession(configuration: .patient)
        defer { session.invalidateAndCancel() }
        let task = session.dataTask(with: server.url) { _, _, _ in }
        task.resume()
        try await stub.wait(forCallCount: 1)
        task.cancel()
        try await stub.wait(forCancellationCount: 1)
      }
    }

    @Test func `a client that disconnects after the answer cancels nothing`() async throws {
      try await withMockServer { server in
        let stub = server.stub(.get, "/", returns: .text("all"))
        let client = try RawClient(server.url)
        try client.send(request)
        _ = await client.receive(until: "all")
        try client.close()
        let loaded = try await load("/", from: server)
        #expect(loaded.text == "all")
        await server.stop()
        #expect(stub.cancellationCount == 0)
      }
    }

    @Test func `the end of a test stops a server that was started in it`() async throws {
      let client = try await withDoubles {
        let server = try await MockServer.start()
        server.stub(.get, "/", returns: .text("up"))
        let client = try RawClient(server.url)
        try client.send(request)
        _ = await client.receive(until: "up")
        return client
      }
      #expect(await client.receiveAll() == ("", .closed))
      try client.close()
    }

    @Test func `many servers come and go`() async throws {
      for number in 0..<100 {
        try await withMockServer { server in
          let stub = server.stub(
            .get, "/", returns: number.isMultiple(of: 2) ? .never : .text("ok"))
          let client = try RawClient(server.url)
          try client.send(request)
          try await stub.wait(forCallCount: 1)
          if !number.isMultiple(of: 2) { _ = await client.receive(until: "ok") }
          try client.close()
        }
      }
    }
  }
#endif
