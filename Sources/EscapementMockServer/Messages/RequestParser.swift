#if MockServer
  import EscapementMockHTTP
  import Foundation

  /// Parses the requests in the bytes that a connection receives, as defined by HTTP/1.1 (RFC 9112).
  struct RequestParser {
    /// A result of parsing.
    enum Event {
      case request(ReceivedRequest)
      /// The client waits for the status 100 before it sends the body.
      case expectsContinue
    }

    /// Why the bytes are not a request.
    struct Malformed: Error, Equatable {
      let reason: String
    }

    private enum Phase {
      case requestLine
      case fields
      case body(Int)
      case chunkSize
      case chunk(Int)
      case chunkEnd
      case trailer
    }

    private var phase = Phase.requestLine
    private var request = ReceivedRequest()
    private var buffer: [UInt8] = []
    private var position = 0

    mutating func append(_ bytes: [UInt8]) {
      buffer.removeFirst(position)
      position = 0
      buffer += bytes
    }

    /// Returns the next event; `nil` if more bytes are needed.
    mutating func next() throws(Malformed) -> Event? {
      while true {
        switch phase {
        case .requestLine:
          guard let line = takeLine() else { return nil }
          // Some clients send an empty line after a body, which must be ignored.
          if line.isEmpty { continue }
          request = try ReceivedRequest(line: line)
          phase = .fields
        case .fields:
          guard let line = takeLine() else { return nil }
          guard line.isEmpty else {
            try request.addField(line)
            continue
          }
          phase = try request.isChunked ? .chunkSize : .body(request.contentLength)
          if request.headers["Expect"]?.lowercased() == "100-continue" { return .expectsContinue }
        case .body(let size):
          guard let body = take(size) else { return nil }
          request.body = Data(body)
          return finish()
        case .chunkSize:
          guard let line = takeLine() else { return nil }
          let digits = line.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
          guard let size = Int(digits, radix: 16), size >= 0 else {
            throw Malformed(reason: "'\(line)' is not a valid size of a chunk")
          }
          phase = size == 0 ? .trailer : .chunk(size)
        case .chunk(let size):
          guard let chunk = take(size) else { return nil }
          request.body += chunk
          phase = .chunkEnd
        case .chunkEnd:
          guard let line = takeLine() else { return nil }
          guard line.isEmpty else { throw Malformed(reason: "a chunk is longer than its size") }
          phase = .chunkSize
        case .trailer:
          guard let line = takeLine() else { return nil }
          if line.isEmpty { return finish() }
        }
      }
    }

    private mutating func finish() -> Event {
      phase = .requestLine
      return .request(request)
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard buffer.count - position >= count else { return nil }
      defer { position += count }
      return buffer[position..<position + count]
    }

    private mutating func takeLine() -> String? {
      guard let end = buffer[position...].firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      var line = buffer[position..<end]
      position = end + 1
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      return String(decoding: line, as: UTF8.self)
    }
  }
#endif
