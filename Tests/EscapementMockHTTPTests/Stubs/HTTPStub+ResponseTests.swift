import EscapementDoubles
import EscapementMockHTTP
import Foundation
import Testing

@Suite struct HTTPStubResponseTests {
  @Test(arguments: [
    (HTTPStub.Response.status(99), "99 is no status"), (.status(600), "600 is no status"),
    (.text("x", status: 204), "204 has no body"), (.text("x", status: 304), "304 has no body"),
    (.text("x", status: 100), "100 has no body"),
    (.status(200).header("Content-Length", "1"), "promises a body of 1 bytes, but it has 0"),
    (.text("xy").header("content-length", "1"), "promises a body of 1 bytes, but it has 2"),
    (.status(200).delayed(by: .nanoseconds(-1)), "is negative"),
    (.chunks([Data(), Data()], every: .seconds(-1)), "is negative"),
    (.redirect(to: "/", status: 299), "299 is no status of a redirection"),
    (.redirect(to: "/", status: 400), "400 is no status of a redirection"),
    (.json(Double.nan), "cannot be encoded as JSON"),
    (.file(URL(fileURLWithPath: "/nowhere.json")), "/nowhere.json was to be sent"),
  ])
  func `what cannot be sent says why`(response: HTTPStub.Response, reason: String) {
    #expect(response.problem(for: .get)?.contains(reason) == true)
  }

  @Test(arguments: [
    HTTPStub.Response.status(100), .status(599), .status(204), .text("xy"), .never, .passthrough,
    .text("xy").header("Content-Length", "2"), .status(304).header("Content-Length", "2"),
    .text("x").header("Content-Length", "2").failing(URLError(.networkConnectionLost)),
    .failing(URLError(.timedOut)), .redirect(to: "/", status: 300), .redirect(to: "/", status: 399),
    .chunks([], every: .zero), .json([1]).delayed(by: .seconds(1)),
  ])
  func `what can be sent has no problem`(response: HTTPStub.Response) {
    #expect(response.problem(for: .get) == nil)
  }

  @Test func `an answer to HEAD may tell the length of a body that it has not`() {
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
