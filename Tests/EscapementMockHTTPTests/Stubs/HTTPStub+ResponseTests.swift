import EscapementDoubles
import EscapementMockHTTP
import Foundation
import Testing

@Suite struct HTTPStubResponseTests {
  @Test(arguments: [
    (HTTPStub.Response.status(99), "99 is not a valid HTTP status; use 200...599."),
    (.status(600), "600 is not a valid HTTP status"),
    (.text("x", status: 204), "204 must not have a body"),
    (.text("x", status: 304), "304 must not have a body"),
    (.status(100), "The status 100 is an interim response; use 200...599."),
    (.status(199), "The status 199 is an interim response"),
    (.status(200).header("Content-Length", "1"), "'Content-Length' is 1, but the body has 0 bytes"),
    (.text("xy").header("content-length", "1"), "'Content-Length' is 1, but the body has 2 bytes"),
    (.status(200).delayed(by: .nanoseconds(-1)), "must not be negative"),
    (.chunks([Data(), Data()], every: .seconds(-1)), "must not be negative"),
    (.redirect(to: "/", status: 299), "299 is not a redirection status; use 300...399."),
    (.redirect(to: "/", status: 400), "400 is not a redirection status"),
    (.json(Double.nan), "cannot be encoded as JSON"),
    (.text("").header("", "a"), #""" is not a valid name of a header field."#),
    (.text("").header("a:b", "a"), #""a:b" is not a valid name of a header field."#),
    (.text("").header("a\r\nb", "a"), #""a\r\nb" is not a valid name of a header field."#),
    (.text("").header("A", "b\nc"), "The header field 'A' has a line break"),
    (.text("").header("A", "b\rc"), "The header field 'A' has a line break"),
    (.text("").header("A", "b\0c"), "or a zero character in its value"),
    (.file(URL(fileURLWithPath: "/nowhere.json")), "/nowhere.json cannot be read"),
  ])
  func `an invalid response says why it is invalid`(response: HTTPStub.Response, reason: String) {
    #expect(response.problem(for: .get)?.contains(reason) == true)
  }

  @Test(arguments: [
    HTTPStub.Response.status(200), .status(599), .status(204), .text("xy"), .never, .passthrough,
    .text("xy").header("Content-Length", "2"), .status(304).header("Content-Length", "2"),
    .text("x").header("Content-Length", "2").failing(URLError(.networkConnectionLost)),
    .failing(URLError(.timedOut)), .redirect(to: "/", status: 300), .redirect(to: "/", status: 399),
    .chunks([], every: .zero), .json([1]).delayed(by: .seconds(1)),
    .text("").header("X-Name", "a value, with \"quotes\""),
  ])
  func `a valid response has no problem`(response: HTTPStub.Response) {
    #expect(response.problem(for: .get) == nil)
  }

  @Test func `a response to HEAD may have a length and no body`() {
    let response = HTTPStub.Response.status(200).header("Content-Length", "9")
    #expect(response.problem(for: .head) == nil)
  }

  @Test func `a file is sent with the type of its extension`() throws {
    let url = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
    try Data("[]".utf8).write(to: url)
    defer { try? FileManager.default.removeItem(at: url) }
    let response = HTTPStub.Response.file(url)
    #expect(response.body == Data("[]".utf8))
    #expect(response.headers["content-type"] == "application/json")
  }
}
