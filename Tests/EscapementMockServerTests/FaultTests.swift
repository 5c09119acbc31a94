#if MockServer
  import EscapementMockHTTP
  import EscapementMockServer
  import EscapementTesting
  import Foundation
  import Testing

  @Suite struct FaultTests {
    private let request = "GET / HTTP/1.1\r\nHost: me\r\n\r\n"

    private func answer(
      to response: HTTPStub.Response
    ) async throws -> (text: String, end: RawClient.End) {
      try await withMockServer { server in
        server.stub(.get, "/", returns: response)
        let client = try RawClient(server.url)
        try client.send(request)
        let answer = await client.receiveAll()
        try client.close()
        return answer
      }
    }

    @Test func `a connection is reset`() async throws {
      #expect(try await answer(to: .connectionReset) == ("", .reset))
    }

    @Test func `a connection is closed before the answer`() async throws {
      #expect(try await answer(to: .connectionClosed) == ("", .closed))
      #expect(try await answer(to: .failing(URLError(.networkConnectionLost))) == ("", .closed))
    }

    @Test func `a body is truncated`() async throws {
      let (text, end) = try await answer(to: .text("0123456789").truncated(after: 4))
      #expect(text.contains("\r\nContent-Length: 10\r\n"))
      #expect(text.hasSuffix("\r\n\r\n0123"))
      #expect(end == .closed)
    }

    @Test func `a complete body can be shorter than its Content-Length`() async throws {
      let lost = HTTPStub.Response.text("0123").failing(URLError(.networkConnectionLost))
      for response in [.text("0123").truncated(after: 4), lost] {
        let (text, end) = try await answer(to: response)
        #expect(text.contains("\r\nContent-Length: 5\r\n"))
        #expect(text.hasSuffix("\r\n\r\n0123"))
        #expect(end == .closed)
      }
    }

    @Test(arguments: [
      (HTTPStub.Response.connectionReset, URLError.Code.networkConnectionLost),
      (.connectionClosed, .badServerResponse),
      (.text("0123456789").truncated(after: 4), .unknown),
    ])
    func `a real session fails with the error of the fault`(
      response: HTTPStub.Response, onLinux code: URLError.Code
    ) async throws {
      try await withMockServer { server in
        server.stub(.get, "/", returns: response)
        let seen = await errorCode { _ = try await load("/", from: server) }
        #if os(Linux)
          #expect(seen == code)
        #else
          #expect(seen == .networkConnectionLost)
        #endif
      }
    }

    @Test func `a stub may set the transfer encoding to chunked`() async throws {
      let chunks = [Data("one".utf8), Data(), Data("three".utf8)]
      let (text, _) = try await answer(
        to: .chunks(chunks).header("Transfer-Encoding", "chunked").header("Connection", "close"))
      #expect(text.hasSuffix("\r\n\r\n3\r\none\r\n5\r\nthree\r\n0\r\n\r\n"))
      #expect(!text.contains("Content-Length"))
      try await withMockServer { server in
        server.stub(.get, "/", returns: .chunks(chunks).header("Transfer-Encoding", "chunked"))
        let loaded = try await load("/", from: server)
        #expect(loaded.text == "onethree")
      }
    }
  }
#endif
