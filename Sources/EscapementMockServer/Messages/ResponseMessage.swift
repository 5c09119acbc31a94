#if MockServer
  import EscapementMockHTTP
  import Foundation

  /// A response as HTTP/1.1 sends it to a request of a method.
  struct ResponseMessage {
    private let response: HTTPStub.Response
    private let hasBody: Bool
    /// Whether the body is sent in chunks of its own size, for the stub says so.
    private let isChunked: Bool

    init(_ response: HTTPStub.Response, to method: HTTPStub.Method) {
      self.response = response
      hasBody = method != .head && response.status != 204 && response.status != 304
      isChunked =
        response.headers["Transfer-Encoding"]?.lowercased().hasSuffix("chunked") ?? false
    }

    /// The status line, which has no text for the status, and the header fields.
    var head: Data {
      var headers = response.headers
      if !isChunked, headers["Content-Length"] == nil, ![204, 304].contains(response.status) {
        headers["Content-Length"] = "\(response.chunks.reduce(0) { $0 + $1.data.count })"
      }
      let lines =
        ["HTTP/1.1 \(response.status ?? 200) "]
        + headers.description.split(separator: "\n").map(String.init) + ["", ""]
      return Data(lines.joined(separator: "\r\n").utf8)
    }

    /// The parts of the body, as they are sent.
    var chunks: [HTTPStub.Response.Chunk] {
      guard hasBody else { return [] }
      guard isChunked else { return response.chunks }
      // A chunk without data would be the last one.
      return response.chunks.filter { !$0.data.isEmpty }.map { chunk in
        var chunk = chunk
        let size = String(chunk.data.count, radix: 16)
        chunk.data = Data("\(size)\r\n".utf8) + chunk.data + Data("\r\n".utf8)
        return chunk
      }
    }

    /// What comes after the body.
    var end: Data { isChunked && hasBody ? Data("0\r\n\r\n".utf8) : Data() }

    /// Whether the stub wants the connection to be closed afterwards.
    var closesConnection: Bool { response.headers["Connection"]?.lowercased() == "close" }

    /// Why this cannot be sent on a connection, if so.
    var problem: String? {
      if let status = response.status, status < 200 {
        return "The status \(status) announces another answer, which will never come."
      }
      let fields = response.headers.dictionary
      if let name = fields.keys.first(where: { !Self.isName($0) }) {
        return "'\(name)' is no name of a header field."
      }
      if let field = fields.first(where: { $0.value.contains(where: \.isNewline) }) {
        return "The header field '\(field.key)' has a line break in its value."
      }
      return nil
    }

    private static func isName(_ name: String) -> Bool {
      !name.isEmpty
        && name.utf8.allSatisfy {
          $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0)
        }
    }
  }
#endif
