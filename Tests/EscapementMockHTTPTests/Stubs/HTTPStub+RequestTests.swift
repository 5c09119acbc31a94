import Foundation
import Testing

@testable import EscapementMockHTTP

@Suite struct HTTPStubRequestTests {
  private func request(_ url: String, body: Data = Data()) -> HTTPStub.Request {
    HTTPStub.Request(.post, URL(string: url)!, body: body)
  }

  @Test func `the path keeps its escapes, and the query is decoded`() {
    let request = request("https://example.com/a%20b?x=1&y=%20&x=2&z")
    #expect(request.path == "/a%20b")
    #expect(request.query == ["x": "2", "y": " ", "z": ""])
    #expect(request.queryItems.map(\.name) == ["x", "y", "x", "z"])
  }

  @Test func `a subscript finds a path parameter before a query item`() {
    var request = request("https://example.com/users/7?id=8&page=2")
    request.parameters = ["id": "7"]
    #expect(request["id"] == "7")
    #expect(request["page"] == "2")
    #expect(request["none"] == nil)
  }

  @Test func `a body is read as text or as JSON`() throws {
    let request = request("https://example.com/", body: Data("[1, 2]".utf8))
    #expect(request.text == "[1, 2]")
    #expect(try request.json(as: [Int].self) == [1, 2])
    #expect(throws: (any Error).self) { try request.json(as: String.self) }
  }

  @Test func `the description has at most 400 bytes of the body`() {
    func description(_ count: Int) -> String {
      request("https://example.com/", body: Data(repeating: 65, count: count)).description
    }
    #expect(description(0) == "POST https://example.com/")
    #expect(description(400).hasSuffix("body: " + String(repeating: "A", count: 400)))
    #expect(description(401).hasSuffix("A… (401 bytes)"))
    let binary = request("https://example.com/", body: Data([0xff, 0xfe]))
    #expect(binary.description.hasSuffix("body: 2 bytes"))
  }
}
