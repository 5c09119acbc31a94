#if MockServer
  import EscapementMockHTTP
  import Foundation
  import Testing

  @testable import EscapementMockServer

  @Suite struct ResponseMessageTests {
    private func text(_ response: HTTPStub.Response, to method: HTTPStub.Method = .get) -> String {
      let message = ResponseMessage(response, to: method)
      let body = message.chunks.reduce(Data()) { $0 + $1.data }
      return String(decoding: message.head + body + message.end, as: UTF8.self)
    }

    @Test func `the header has the length of the body`() {
      #expect(
        text(.text("hello", contentType: "text/plain"))
          == "HTTP/1.1 200 \r\nContent-Length: 5\r\nContent-Type: text/plain\r\n\r\nhello")
      #expect(text(.status(404)) == "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n")
    }

    @Test(arguments: [204, 304]) func `a response without a body has no length`(status: Int) {
      #expect(text(.status(status)) == "HTTP/1.1 \(status) \r\n\r\n")
    }

    @Test func `a response to HEAD has the same header as one to GET`() {
      let answer = text(.text("hello"))
      #expect(text(.text("hello"), to: .head) == String(answer.dropLast(5)))
    }

    @Test func `a stub may set a different length`() {
      let answer = text(.text("hello").header("content-length", "9"))
      #expect(answer.contains("content-length: 9\r\n"))
      #expect(!answer.contains("Content-Length"))
    }

    @Test func `a body may be sent in chunks`() {
      let parts = [Data("hello".utf8), Data(), Data(repeating: 65, count: 16)]
      let answer = text(.chunks(parts).header("Transfer-Encoding", "chunked"))
      #expect(answer.hasSuffix("\r\n\r\n5\r\nhello\r\n10\r\nAAAAAAAAAAAAAAAA\r\n0\r\n\r\n"))
      #expect(!answer.contains("Content-Length"))
    }

    @Test func `a truncated body keeps its length in the header`() {
      for (count, sent, promised) in [(0, "", 10), (9, "012345678", 10), (10, "0123456789", 11)] {
        let parts = [Data("01234".utf8), Data("56789".utf8)]
        let answer = text(.chunks(parts).truncated(after: count))
        #expect(answer.contains("Content-Length: \(promised)\r\n"))
        #expect(answer.hasSuffix("\r\n\r\n\(sent)"))
      }
    }
  }
#endif
