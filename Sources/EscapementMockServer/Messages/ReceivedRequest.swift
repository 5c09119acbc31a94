#if MockServer
  import EscapementMockHTTP
  import Foundation

  /// A request as a connection has received it.
  struct ReceivedRequest {
    private(set) var method = HTTPStub.Method.get
    /// The target in the request line: a path, or a URL if the client treats the server as a proxy.
    private(set) var target = ""
    private(set) var headers: HTTPStub.Headers = [:]
    var body = Data()
    private var version = "HTTP/1.1"

    init() {}

    init(line: String) throws(RequestParser.Malformed) {
      let parts = line.split(separator: " ")
      guard parts.count == 3, parts[2].hasPrefix("HTTP/1.") else {
        throw RequestParser.Malformed(
          reason: "'\(line.prefix(100))' is not a request line of HTTP/1.1")
      }
      method = HTTPStub.Method(rawValue: String(parts[0]))
      target = String(parts[1])
      version = String(parts[2])
    }

    mutating func addField(_ line: String) throws(RequestParser.Malformed) {
      guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else {
        throw RequestParser.Malformed(reason: "'\(line.prefix(100))' is not a header field")
      }
      let name = String(line[..<colon])
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      headers.append(value, to: name)
    }

    var isChunked: Bool { headers["Transfer-Encoding"]?.lowercased().hasSuffix("chunked") ?? false }

    var contentLength: Int {
      get throws(RequestParser.Malformed) {
        guard let text = headers["Content-Length"] else { return 0 }
        guard let length = Int(text), length >= 0 else {
          throw RequestParser.Malformed(reason: "'\(text)' is not a valid length of a body")
        }
        return length
      }
    }

    /// Whether the client wants to send further requests on the same connection.
    var keepsConnection: Bool {
      let connection = headers["Connection"]?.lowercased() ?? ""
      return version == "HTTP/1.0"
        ? connection.contains("keep-alive") : !connection.contains("close")
    }

    /// The request as the stubs see it; `nil` if its target is not a valid URL.
    func stubRequest(at server: URL) -> HTTPStub.Request? {
      let url =
        target.hasPrefix("/")
        ? URL(string: server.absoluteString + target) : URL(string: target)
      return url.map { HTTPStub.Request(method, $0, headers: headers, body: body) }
    }
  }
#endif
