#if MockServer
  import EscapementMockHTTP
  import EscapementMockServer
  import EscapementTesting
  import Foundation
  import TestSupport
  import Testing

  /// What clients do that are broken or malicious, on real connections.
  @Suite struct MalformedRequestTests {
    /// The answer to some bytes, and what the server has reported.
    private func answer(
      to text: String
    ) async throws -> (text: String, end: RawClient.End, issues: [ReportedIssue]) {
      var answer = (text: "", end: RawClient.End.reset)
      let issues = try await issues {
        try await withMockServer(requiresCalls: false) { server in
          server.stub(.any, "/*", returns: .text("answered"))
          let client = try RawClient(server.url)
          try await client.sendAll(text)
          answer = await client.receiveAll()
          try client.close()
        }
      }
      return (answer.text, answer.end, issues)
    }

    @Test(arguments: [
      ("EHLO me\r\n", 400, "'EHLO me' is not a request line"),
      ("GET / HTTP/1.1x\r\n\r\n", 400, "is not a request line"),
      ("GET / HTTP/2.0\r\n\r\n", 505, "the server speaks HTTP/1.1"),
      ("GET / HTTP/1.1\r\n\r\n", 400, "the field 'Host' is missing"),
      ("GET / HTTP/1.1\r\nHost : me\r\n\r\n", 400, "'Host : me' is not a header field"),
      (
        "POST / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: gzip\r\n\r\nGET / HTTP/1.1\r\n\r\n", 400,
        "transfer encoding 'gzip'"
      ),
      ("GET http://[ HTTP/1.1\r\nHost: me\r\n\r\n", 400, "'http://[' is not a valid URL"),
    ])
    func `a malformed request gets an answer that says why, and fails the test`(
      request: String, status: Int, reason: String
    ) async throws {
      let (text, end, issues) = try await answer(to: request)
      #expect(text.hasPrefix("HTTP/1.1 \(status) "))
      #expect(text.contains(reason))
      #expect(end == .closed)
      #expect(issues.count == 1)
      #expect(issues.first?.message.contains(reason) == true)
      #expect(issues.first?.message.contains("with the status \(status)") == true)
    }

    @Test(arguments: [
      ("GET / HTTP/1.1\r\nHost: me\r\nX: ", 431), ("GET /", 414),
    ])
    func `a line of 8 MiB gets an answer`(beginning: String, status: Int) async throws {
      let line = String(repeating: "a", count: 8 << 20)
      let (text, end, issues) = try await answer(to: beginning + line)
      #expect(text.hasPrefix("HTTP/1.1 \(status) "))
      #expect(end == .closed)
      #expect(issues.count == 1)
    }

    @Test func `a client of HTTP 1_0 gets no chunks`() async throws {
      try await withMockServer { server in
        server.stub(
          .get, "/",
          returns: .chunks([Data("one".utf8), Data("two".utf8)])
            .header("Transfer-Encoding", "chunked"))
        let client = try RawClient(server.url)
        try client.send("GET / HTTP/1.0\r\n\r\n")
        let (text, _) = await client.receiveAll()
        #expect(text.contains("\r\nContent-Length: 6\r\n"))
        #expect(text.hasSuffix("\r\n\r\nonetwo"))
        #expect(!text.contains("Transfer-Encoding"))
        try client.close()
      }
    }

    @Test func `slow clients get their answers, and others do not wait for them`() async throws {
      try await withMockServer { server in
        server.stub(.post, "/slow") { .text("slow \($0.text ?? "")") }
        server.stub(.get, "/", returns: .text("fast"))
        let request = "POST /slow HTTP/1.1\r\nHost: me\r\nContent-Length: 2\r\n\r\nhi"
        let clients = try (0..<20).map { _ in try RawClient(server.url) }
        for part in [request.prefix(10), request.dropFirst(10).dropLast()] {
          for client in clients {
            for byte in part { try client.send(String(byte)) }
          }
          // The slow clients have sent only a part, so this client would wait for ever.
          let loaded = try await load("/", from: server)
          #expect(loaded.text == "fast")
        }
        for client in clients {
          try client.send("i")
          let text = await client.receive(until: "slow hi")
          #expect(text.hasSuffix("slow hi"))
          try client.close()
        }
      }
    }
  }
#endif
