import EscapementMockHTTP
import Testing

@Suite struct HTTPStubHeadersTests {
  @Test func `names are case-insensitive, and keep the spelling that was set last`() {
    var headers: HTTPStub.Headers = ["Content-Type": "text/plain", "accept": "x"]
    #expect(headers["content-type"] == "text/plain")
    headers["CONTENT-TYPE"] = "text/html"
    #expect(headers.dictionary == ["CONTENT-TYPE": "text/html", "accept": "x"])
    headers["Accept"] = nil
    #expect(headers.description == "CONTENT-TYPE: text/html")
  }

  @Test func `headers with differently spelled names are equal`() {
    #expect(HTTPStub.Headers(["A": "1"]) == ["a": "1"])
    #expect(HTTPStub.Headers(["A": "1"]) != ["a": "2"])
  }

  @Test func `the description is ordered by name`() {
    let headers: HTTPStub.Headers = ["b": "2", "A": "1"]
    #expect(headers.description == "A: 1\nb: 2")
  }
}
