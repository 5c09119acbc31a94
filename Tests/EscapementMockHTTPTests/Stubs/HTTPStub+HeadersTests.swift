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

  @Test func `a repeated field keeps all values, until it is set`() {
    var headers: HTTPStub.Headers = ["Set-Cookie": "a=1", "set-cookie": "b=2", "Cookie": "c=3"]
    headers.append("d=4", to: "COOKIE")
    #expect(headers[values: "set-cookie"] == ["a=1", "b=2"])
    #expect(headers["Set-Cookie"] == "a=1, b=2")
    #expect(headers["cookie"] == "c=3; d=4")
    #expect(
      headers.description == "COOKIE: c=3\nCOOKIE: d=4\nset-cookie: a=1\nset-cookie: b=2")
    #expect(headers != ["Set-Cookie": "b=2", "set-cookie": "a=1", "Cookie": "c=3; d=4"])
    headers["Set-Cookie"] = "e=5"
    headers[values: "Cookie"] = []
    #expect(headers.dictionary == ["Set-Cookie": "e=5"])
    #expect(headers[values: "Cookie"] == [])
  }

  @Test func `a response repeats a field, and replaces one that it has at most once`() {
    let response = HTTPStub.Response.json([1]).header("Content-Type", "application/geo+json")
      .header("Warning", "110").header("warning", "112")
    #expect(response.headers[values: "Content-Type"] == ["application/geo+json"])
    #expect(response.headers[values: "Warning"] == ["110", "112"])
  }

  @Test func `the description is ordered by name`() {
    let headers: HTTPStub.Headers = ["b": "2", "A": "1"]
    #expect(headers.description == "A: 1\nb: 2")
  }
}
