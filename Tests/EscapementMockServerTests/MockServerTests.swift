#if MockServer
  import EscapementMockHTTP
  import EscapementMockServer
  import Foundation
  import Testing

  #if canImport(FoundationNetworking)
    import FoundationNetworking
  #endif

  /// Covers `Connection`, `Listener`, `RequestOrigin` and `Outside` as well.
  @Suite struct MockServerTests {
    @Test func `a real session gets the answer of a stub`() async throws {
      try await withMockServer { server in
        server.stub(.get, "/users/:id") { request in .json(["id": request["id"]]) }
        let loaded = try await load("/users/7?full=1", from: server)
        #expect(loaded == Loaded(status: 200, text: #"{"id":"7"}"#))
      }
    }

    @Test func `the journal has the whole request`() async throws {
      try await withMockServer { server in
        let stub = server.stub(.post, "/notes", where: .body("a note"), returns: .status(201))
        let loaded = try await load(
          "/notes?draft=yes", from: server, method: "POST", body: Data("a note".utf8),
          headers: ["X-Color": "red"])
        #expect(loaded == Loaded(status: 201, text: ""))
        let request = try #require(server.requests.first)
        #expect(request.method == .post)
        #expect(request.url.absoluteString == "\(server.url)/notes?draft=yes")
        #expect(request.text == "a note")
        #expect(request.headers["x-color"] == "red")
        #expect(stub.callCount == 1)
      }
    }

    @Test func `answers come in the order of a stub`() async throws {
      try await withMockServer { server in
        server.stub(.get, "/news", returns: .status(503)).then(.text("news"))
        let (first, second) = (
          try await load("/news", from: server), try await load("/news", from: server)
        )
        #expect(first.status == 503)
        #expect(second == Loaded(status: 200, text: "news"))
      }
    }

    @Test func `a session downloads to a file`() async throws {
      try await withMockServer { server in
        let content = Data((0..<1_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        server.stub(.get, "/file", returns: .data(content))
        let session = URLSession(configuration: .patient)
        defer { session.finishTasksAndInvalidate() }
        let downloaded = try await withCheckedThrowingContinuation {
          (continuation: CheckedContinuation<Data, any Error>) in
          session.downloadTask(with: server.url.appendingPathComponent("file")) { file, _, error in
            continuation.resume(
              with: Result { if let error { throw error } else { try Data(contentsOf: file!) } })
          }.resume()
        }
        #expect(downloaded == content)
      }
    }

    @Test func `a session follows redirects`() async throws {
      try await withMockServer { server in
        server.stub(.get, "/old", returns: .redirect(to: "/new"))
        server.stub(.get, "/new", returns: .text("here"))
        let loaded = try await load("/old", from: server)
        #expect(loaded == Loaded(status: 200, text: "here"))
        #expect(server.requests.map(\.path) == ["/old", "/new"])
      }
    }

    @Test func `a large upload arrives whole`() async throws {
      try await withMockServer { server in
        server.stub(.put, "/file") { request in .text("\(request.body.count)") }
        let body = Data(repeating: 7, count: 3_000_000)
        let loaded = try await load("/file", from: server, method: "PUT", body: body)
        #expect(loaded.text == "3000000")
        #expect(server.requests.first?.body == body)
      }
    }

    @Test func `one connection serves many requests`() async throws {
      try await withMockServer { server in
        server.stub(.get, "/", returns: .text("again"))
        let client = try RawClient(server.url)
        for _ in 0..<3 {
          try client.send("GET / HTTP/1.1\r\nHost: me\r\n\r\n")
          let answer = await client.receive(until: "again")
          #expect(answer.contains("\r\nContent-Length: 5\r\n"))
        }
        // Two requests at once are answered in their order.
        try client.send(
          "GET / HTTP/1.1\r\nHost: me\r\n\r\n"
            + "GET / HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n")
        let (text, end) = await client.receiveAll()
        #expect(text.split(separator: "again").count == 2)
        #expect(end == .closed)
        try client.close()
      }
    }

    @Test func `many clients are served at once`() async throws {
      try await withMockServer { server in
        let gate = server.stub(.get, "/:number") { request in .text(request["number"] ?? "") }
        try await withThrowingTaskGroup(of: Bool.self) { group in
          for number in 0..<50 {
            group.addTask { try await load("/\(number)", from: server).text == "\(number)" }
          }
          for try await isRight in group { #expect(isRight) }
        }
        #expect(gate.callCount == 50)
      }
    }

    @Test func `servers do not share stubs`() async throws {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await withMockServer { server in
              server.stub(.get, "/", returns: .text("\(number)"))
              let loaded = try await load("/", from: server)
              #expect(loaded.text == "\(number)")
            }
          }
        }
        try await group.waitForAll()
      }
    }

    @Test func `repeated fields of the answer are sent in their order`() async throws {
      try await withMockServer { server in
        server.stub(
          .get, "/",
          returns: .text("cookies").header("Set-Cookie", "b=1").header("Set-Cookie", "a=2"))
        let client = try RawClient(server.url)
        try client.send("GET / HTTP/1.1\r\nHost: me\r\nA: 1\r\na: 2\r\n\r\n")
        let text = await client.receive(until: "cookies")
        #expect(text.contains("\r\nSet-Cookie: b=1\r\nSet-Cookie: a=2\r\n"))
        #expect(server.requests.first?.headers[values: "A"] == ["1", "2"])
        try client.close()
      }
    }

    @Test func `a request to HEAD gets the length and no body`() async throws {
      try await withMockServer { server in
        server.stub(.head, "/", returns: .text("12345"))
        let client = try RawClient(server.url)
        try client.send("HEAD / HTTP/1.1\r\nHost: me\r\nConnection: close\r\n\r\n")
        let (text, _) = await client.receiveAll()
        #expect(text.contains("\r\nContent-Length: 5\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
        try client.close()
      }
    }
  }
#endif
