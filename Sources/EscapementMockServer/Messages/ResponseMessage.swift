#if MockServer
  import EscapementMockHTTP
  import Foundation

  /// The bytes of a response in HTTP/1.1, for a request with a given method.
  struct ResponseMessage {
    private let response: HTTPStub.Response
    private let hasBody: Bool
    /// Whether the stub has set the transfer encoding to `chunked`.
    private let isChunked: Bool

    /// - Parameter allowsChunks: Whether the client speaks HTTP/1.1; clients of HTTP/1.0 get a
    ///   length instead of chunks.
    init(_ response: HTTPStub.Response, to method: HTTPStub.Method, allowsChunks: Bool = true) {
      var response = response
      if !allowsChunks { response.headers["Transfer-Encoding"] = nil }
      self.response = response
      hasBody = method != .head && response.status != 204 && response.status != 304
      isChunked =
        response.headers["Transfer-Encoding"]?.lowercased().hasSuffix("chunked") ?? false
    }

    /// The status line, without a reason phrase, and the header fields.
    var head: Data {
      var headers = response.headers
      if !isChunked, headers["Content-Length"] == nil, ![204, 304].contains(response.status) {
        headers["Content-Length"] = "\(response.chunks.reduce(0) { $0 + $1.data.count })"
      }
      let lines =
        ["HTTP/1.1 \(response.status ?? 200) "]
        + headers.lines.map { "\($0.name): \($0.value)" } + ["", ""]
      return Data(lines.joined(separator: "\r\n").utf8)
    }

    /// The parts of the body, in their transfer encoding.
    var chunks: [HTTPStub.Response.Chunk] {
      guard hasBody else { return [] }
      guard isChunked else { return response.chunks }
      // An empty chunk would end the body.
      return response.chunks.filter { !$0.data.isEmpty }.map { chunk in
        var chunk = chunk
        let size = String(chunk.data.count, radix: 16)
        chunk.data = Data("\(size)\r\n".utf8) + chunk.data + Data("\r\n".utf8)
        return chunk
      }
    }

    /// The bytes after the body.
    var end: Data { isChunked && hasBody ? Data("0\r\n\r\n".utf8) : Data() }

    /// Whether the stub demands that the connection is closed afterwards.
    var closesConnection: Bool { response.headers["Connection"]?.lowercased() == "close" }
  }
#endif
