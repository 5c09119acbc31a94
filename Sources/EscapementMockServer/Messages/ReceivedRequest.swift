#if MockServer
  import EscapementMockHTTP
  import Foundation

  /// A request as a connection has received it.
  struct ReceivedRequest {
    /// How the end of the body is found.
    enum Framing: Equatable {
      case length(Int)
      case chunked
    }

    private(set) var method = HTTPStub.Method.get
    /// The target in the request line: a path, or a URL if the client treats the server as a proxy.
    private(set) var target = ""
    private(set) var headers: HTTPStub.Headers = [:]
    var body = Data()
    /// Whether the client speaks HTTP/1.0, which has no chunks, and not HTTP/1.1.
    private(set) var isHTTP10 = false

    init() {}

    /// RFC 9112, 3: method, target and version, with one space between them.
    init(line: String) throws(RequestParser.Malformed) {
      let parts = line.split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 3, parts[0].isToken, !parts[1].isEmpty, !parts[1].contains("\t"),
        let version = Version(parts[2])
      else {
        throw RequestParser.Malformed(
          reason: "'\(line.prefix(100))' is not a request line of HTTP/1.1")
      }
      guard version.major == 1 else {
        // RFC 9110, 15.6.6.
        throw RequestParser.Malformed(
          status: 505, reason: "the request is in '\(parts[2])', but the server speaks HTTP/1.1")
      }
      method = HTTPStub.Method(rawValue: String(parts[0]))
      target = String(parts[1])
      isHTTP10 = version.minor == 0
    }

    mutating func addField(_ line: String) throws(RequestParser.Malformed) {
      // RFC 9112, 5.1: no space before the colon. 5.2: no line that continues the one before.
      guard let colon = line.firstIndex(of: ":"), line[..<colon].isToken else {
        throw RequestParser.Malformed(reason: "'\(line.prefix(100))' is not a header field")
      }
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      headers.append(value, to: String(line[..<colon]))
    }

    /// Checks the header fields on which the end of the request and its address depend.
    func framing() throws(RequestParser.Malformed) -> Framing {
      try checkHost()
      guard headers["Transfer-Encoding"] != nil else { return .length(try contentLength()) }
      try checkTransferEncoding()
      return .chunked
    }

    /// RFC 9112, 3.2: exactly one `Host` in HTTP/1.1, which has no user, path or list.
    private func checkHost() throws(RequestParser.Malformed) {
      let hosts = headers[values: "Host"]
      guard hosts.count == 1 || isHTTP10 && hosts.isEmpty else {
        throw RequestParser.Malformed(
          reason: hosts.isEmpty ? "the field 'Host' is missing" : "the field 'Host' is repeated")
      }
      if let host = hosts.first, host.contains(where: { " \t,/?#@".contains($0) }) {
        throw RequestParser.Malformed(reason: "'\(host.prefix(100))' is not a valid 'Host'")
      }
    }

    /// RFC 9112, 6.1 and 6.3: the last coding is `chunked`, and the length cannot be given as well.
    private func checkTransferEncoding() throws(RequestParser.Malformed) {
      let codings = tokens(of: "Transfer-Encoding")
      let text = (headers["Transfer-Encoding"] ?? "").prefix(100)
      if isHTTP10 {
        throw RequestParser.Malformed(reason: "HTTP/1.0 has no 'Transfer-Encoding'")
      }
      if headers["Content-Length"] != nil {
        throw RequestParser.Malformed(
          reason: "the request has both 'Transfer-Encoding' and 'Content-Length'")
      }
      guard codings.last == "chunked", !codings.dropLast().contains("chunked") else {
        throw RequestParser.Malformed(
          reason: "the end of a body with the transfer encoding '\(text)' cannot be found")
      }
      guard codings.count == 1 else {
        throw RequestParser.Malformed(
          status: 501, reason: "the transfer encoding '\(text)' is not supported, only 'chunked' is"
        )
      }
    }

    /// RFC 9112, 6.2, and RFC 9110, 8.6: digits only, and only one value.
    private func contentLength() throws(RequestParser.Malformed) -> Int {
      guard let text = headers["Content-Length"] else { return 0 }
      guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
        let length = Int(text)
      else {
        throw RequestParser.Malformed(
          reason: "'\(text.prefix(100))' is not a valid length of a body")
      }
      return length
    }

    /// Whether the client waits for the status 100 (RFC 9110, 10.1.1).
    var expectsContinue: Bool { !isHTTP10 && tokens(of: "Expect").contains("100-continue") }

    /// Whether the client wants to send further requests on the same connection (RFC 9112, 9.3).
    var keepsConnection: Bool {
      let options = tokens(of: "Connection")
      return !options.contains("close") && (!isHTTP10 || options.contains("keep-alive"))
    }

    /// The request as the stubs see it; `nil` if its target is not a valid URL (RFC 9112, 3.2).
    func stubRequest(at server: URL) -> HTTPStub.Request? {
      let url: URL? =
        if target.hasPrefix("/") {
          URL(string: server.absoluteString + target)
        } else if target == "*" {
          server
        } else {
          URL(string: target).flatMap { $0.scheme != nil && $0.host != nil ? $0 : nil }
        }
      return url.map { HTTPStub.Request(method, $0, headers: headers, body: body) }
    }

    /// The members of a list, in lower case (RFC 9110, 5.6.1).
    private func tokens(of name: String) -> [String] {
      (headers[name] ?? "").lowercased().split(separator: ",")
        .map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }
  }

  /// RFC 9112, 2.3: `HTTP/`, a digit, a point, and a digit.
  private struct Version {
    let major: Int
    let minor: Int

    init?(_ text: Substring) {
      let bytes = Array(text.utf8)
      guard bytes.count == 8, text.hasPrefix("HTTP/"), bytes[6] == UInt8(ascii: "."),
        let major = Int("\(UnicodeScalar(bytes[5]))"), let minor = Int("\(UnicodeScalar(bytes[7]))")
      else { return nil }
      self.major = major
      self.minor = minor
    }
  }
#endif
