#if MockServer
  import EscapementMockHTTP
  import Foundation
  import TestSupport
  import Testing
  import _EscapementCore

  @testable import EscapementMockServer

  @Suite struct RequestParserTests {
    /// The events that a parser returns if it gets a text in parts of a size.
    private func events(in text: String, by size: Int) throws -> [String] {
      var parser = RequestParser()
      var events: [String] = []
      var rest = Array(text.utf8)[...]
      while !rest.isEmpty {
        parser.append(Array(rest.prefix(size)))
        rest = rest.dropFirst(size)
        while let event = try parser.next() {
          switch event {
          case .expectsContinue: events.append("100")
          case .request(let request):
            let body = String(decoding: request.body, as: UTF8.self)
            events.append("\(request.method) \(request.target) \(body)")
          }
        }
      }
      return events
    }

    private func request(_ text: String) throws -> ReceivedRequest? {
      var parser = RequestParser()
      parser.append(Array(text.utf8))
      guard case .request(let request) = try parser.next() else { return nil }
      return request
    }

    @Test func `requests are parsed however their bytes are split`() throws {
      let text = """
        GET /a HTTP/1.1\r\nHost: me\r\n\r\n\
        POST /b?c=d HTTP/1.1\r\nHost: me\r\nContent-Length: 5\r\n\r\nhello\
        \r\nPUT /e HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\n\
        3;name=value\r\none\r\n0a\r\n0123456789\r\n0\r\nTrailer: yes\r\n\r\n\
        PUT /f HTTP/1.1\r\nHost: me\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\nf\
        DELETE /g HTTP/1.1\nHost: me\n\n
        """
      let expected = [
        "GET /a ", "POST /b?c=d hello", "PUT /e one0123456789", "100", "PUT /f f", "DELETE /g ",
      ]
      for size in 1...text.utf8.count { #expect(try events(in: text, by: size) == expected) }
    }

    @Test func `random bytes have the same result however they are split`() {
      let pieces = [
        "GET / HTTP/1.1\r\n", "POST /a HTTP/1.1\r\n", "Host: me\r\n", "\r\n", "\n", "\r", "0\r\n",
        "Content-Length: 3\r\n", "Content-Length: ", "Transfer-Encoding: chunked\r\n",
        "3\r\nabc\r\n",
        "abc", "Expect: 100-continue\r\n", "7fffffffffffffff\r\n", ";", ":", " ", "\0", "é",
        "HTTP/1.0",
      ]
      for seed in 0..<2_000 as Range<UInt64> {
        var generator = SplitMix64(seed: seed)
        let text = (0..<Int.random(in: 1...20, using: &generator))
          .map { _ in pieces.randomElement(using: &generator)! }.joined()
        func result(by size: Int) -> String {
          do { return "\(try events(in: text, by: size))" } catch { return "\(error)" }
        }
        let whole = result(by: text.utf8.count)
        for size in 1...5 {
          #expect(
            result(by: size) == whole, "seed \(seed), \(size) bytes of \(text.debugDescription)")
        }
      }
    }

    @Test func `names of fields are case-insensitive, and values of repeated fields are joined`()
      throws
    {
      let request = try #require(
        try request(
          "GET / HTTP/1.1\r\nHost: me\r\n"
            + "A: 1\r\na:  2 \r\nCookie: b=c\r\nCookie: d=e\r\nF:\r\n\r\n"))
      #expect(request.headers["a"] == "1, 2")
      #expect(request.headers["cookie"] == "b=c; d=e")
      #expect(request.headers["F"] == "")
    }

    @Test(arguments: [
      ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: close\r\n", false),
      ("HTTP/1.1", "Connection: Keep-Alive\r\n", true), ("HTTP/1.0", "", false),
      ("HTTP/1.0", "Connection: Keep-Alive\r\n", true),
    ])
    func `the client says whether the connection is kept`(
      version: String, field: String, isKept: Bool
    ) throws {
      let request = try request("GET / \(version)\r\nHost: me\r\n\(field)\r\n")
      #expect(request?.keepsConnection == isKept)
    }

    @Test(arguments: [
      ("GET / HTTP/1.1\r\nHost: me\r\nA : b\r\n\r\n", "'A : b' is not a header field"),
      ("GET / HTTP/1.1\r\nHost: me\r\nA: b\r\n c\r\n\r\n", "' c' is not a header field"),
      ("GET / HTTP/1.1\r\nHost: me\r\nA: b\rc\r\n\r\n", "a line contains a control character"),
      ("GET / HTTP/1.1\r\nHost: me\r\nA: b\0\r\n\r\n", "a line contains a control character"),
      ("\u{16}\u{3}\u{1}", "a line contains a control character"),
      ("GET  / HTTP/1.1\r\n", "'GET  / HTTP/1.1' is not a request line of HTTP/1.1"),
      ("G(T / HTTP/1.1\r\n", "'G(T / HTTP/1.1' is not a request line of HTTP/1.1"),
      ("GET / HTTP/1.1x\r\n", "'GET / HTTP/1.1x' is not a request line of HTTP/1.1"),
      ("GET / http/1.1\r\n", "'GET / http/1.1' is not a request line of HTTP/1.1"),
      ("GET / HTTP/1.1\r\nA: b\r\n\r\n", "the field 'Host' is missing"),
      ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", "the field 'Host' is repeated"),
      ("GET / HTTP/1.1\r\nHost: a/b\r\n\r\n", "'a/b' is not a valid 'Host'"),
      ("HELLO\r\n", "'HELLO' is not a request line of HTTP/1.1"),
      ("GET / HTTP/2\r\n", "'GET / HTTP/2' is not a request line of HTTP/1.1"),
      ("GET / HTTP/1.1\r\nHost: me\r\nname\r\n", "'name' is not a header field"),
      ("GET / HTTP/1.1\r\nHost: me\r\n: value\r\n", "': value' is not a header field"),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nContent-Length: +5\r\n\r\n",
        "'+5' is not a valid length of a body"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
        "'5, 5' is not a valid length of a body"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nContent-Length: 99999999999999999999\r\n\r\n",
        "'99999999999999999999' is not a valid length of a body"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "the request has both 'Transfer-Encoding' and 'Content-Length'"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: xchunked\r\n\r\n",
        "the end of a body with the transfer encoding 'xchunked' cannot be found"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: gzip\r\n\r\n",
        "the end of a body with the transfer encoding 'gzip' cannot be found"
      ),
      (
        "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.0 has no 'Transfer-Encoding'"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\n+1\r\n",
        "'+1' is not a valid size of a chunk"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nx\r\n",
        "'x' is not a header field"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nContent-Length: -1\r\n\r\n",
        "'-1' is not a valid length of a body"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nContent-Length: 1, 2\r\n\r\n",
        "'1, 2' is not a valid length of a body"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
        "'xyz' is not a valid size of a chunk"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
        "'-1' is not a valid size of a chunk"
      ),
      (
        "GET / HTTP/1.1\r\nHost: me\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nab\r\n",
        "a chunk is longer than its size"
      ),
    ])
    func `a malformed request is refused with a reason`(text: String, reason: String) {
      #expect(throws: RequestParser.Malformed(reason: reason)) { _ = try request(text) }
    }

    @Test(arguments: [
      ("GET / HTTP/2.0\r\n", 505),
      ("GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n", 501),
    ])
    func `what the server does not support has a status of its own`(text: String, status: Int) {
      let error = #expect(throws: RequestParser.Malformed.self) { _ = try request(text) }
      #expect(error?.status == status)
    }

    @Test(arguments: [
      ("", 414, RequestParser.limit), ("GET / HTTP/1.1\r\n", 431, RequestParser.limit),
      (
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", 431,
        RequestParser.limit
      ),
      (
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
        RequestParser.chunkLineLimit
      ),
    ])
    func `a part of a request has a limit, whether its line ends or not`(
      beginning: String, status: Int, limit: Int
    ) throws {
      func error(_ count: Int) -> RequestParser.Malformed? {
        var parser = RequestParser()
        parser.append(Array(beginning.utf8) + [UInt8](repeating: 0x61, count: count))
        do {
          _ = try parser.next()
          return nil
        } catch { return error }
      }
      #expect(error(limit) == nil)
      #expect(error(limit + 1)?.status == status)
    }

    @Test func `many short fields have the same limit as a long one`() {
      var parser = RequestParser()
      // The last line break belongs to the limit as well.
      let field = "A: 89abcdef0123\r\n"
      parser.append(Array("GET / HTTP/1.1\r\n".utf8))
      let count = RequestParser.limit / field.utf8.count
      parser.append(Array(String(repeating: field, count: count).utf8))
      #expect(throws: Never.self) { _ = try parser.next() }
      parser.append(Array(field.utf8))
      #expect(throws: RequestParser.Malformed.self) { _ = try parser.next() }
    }

    @Test func `the URL is built from the server, or is the one that a client sends to a proxy`()
      throws
    {
      let server = try #require(URL(string: "http://127.0.0.1:1"))
      func url(_ target: String) throws -> String? {
        try request("GET \(target) HTTP/1.1\r\nHost: me\r\n\r\n")?.stubRequest(at: server)?.url
          .absoluteString
      }
      #expect(try url("/a%20b?c=d") == "http://127.0.0.1:1/a%20b?c=d")
      #expect(try url("http://example.com/a") == "http://example.com/a")
      #expect(try url("*") == "http://127.0.0.1:1")
      #expect(try url("http://[") == nil)
      #expect(try url("nowhere") == nil)
    }
  }
#endif
