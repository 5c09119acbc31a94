#if MockServer
  import EscapementMockHTTP
  import Foundation

  /// Parses the requests in the bytes that a connection receives, by the rules of HTTP/1.1 (RFC
  /// 9112).
  ///
  /// Where RFC 9112 leaves a choice, the parser refuses: a server that is strict shows what is
  /// wrong with a client. The time is linear in the number of bytes, however they are split.
  struct RequestParser {
    /// A result of parsing.
    enum Event {
      case request(ReceivedRequest)
      /// The client waits for the status 100 before it sends the body.
      case expectsContinue
    }

    /// Why the bytes are not a request, and the status that says so.
    struct Malformed: Error, Equatable {
      var status = 400
      let reason: String
    }

    /// The greatest number of bytes of a request line, of all header fields, and of all trailer
    /// fields.
    static let limit = 65_536
    /// The greatest number of bytes of the line before a chunk.
    static let chunkLineLimit = 4_096

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
    /// There is no end of a line between the position and this index.
    private var scanned = 0
    /// The number of bytes that the current part of the request may still have.
    private var allowance = Self.limit

    mutating func append(_ bytes: [UInt8]) {
      buffer.removeFirst(position)
      scanned -= position
      position = 0
      buffer += bytes
    }

    /// Returns the next event; `nil` if more bytes are needed.
    mutating func next() throws(Malformed) -> Event? {
      while true {
        switch phase {
        case .requestLine:
          guard let line = try takeLine() else { return nil }
          // RFC 9112, 2.2: an empty line before the request line must be ignored.
          if line.isEmpty {
            allowance = Self.limit
            continue
          }
          request = try ReceivedRequest(line: line)
          enter(.fields)
        case .fields:
          guard let line = try takeLine() else { return nil }
          guard line.isEmpty else {
            try request.addField(line)
            continue
          }
          switch try request.framing() {
          case .chunked: enter(.chunkSize, allowance: Self.chunkLineLimit)
          case .length(let length): enter(.body(length))
          }
          if request.expectsContinue { return .expectsContinue }
        case .body(let size):
          guard let body = take(size) else { return nil }
          request.body = Data(body)
          return finish()
        case .chunkSize:
          guard let line = try takeLine() else { return nil }
          let size = try Self.chunkSize(line)
          enter(size == 0 ? .trailer : .chunk(size))
        case .chunk(let size):
          guard let chunk = take(size) else { return nil }
          request.body += chunk
          enter(.chunkEnd, allowance: Self.chunkLineLimit)
        case .chunkEnd:
          guard let line = try takeLine() else { return nil }
          guard line.isEmpty else { throw Malformed(reason: "a chunk is longer than its size") }
          enter(.chunkSize, allowance: Self.chunkLineLimit)
        case .trailer:
          guard let line = try takeLine() else { return nil }
          if line.isEmpty { return finish() }
          // RFC 9112, 7.1.2: trailer fields may be discarded, but not what is no field.
          var trailer = ReceivedRequest()
          try trailer.addField(line)
        }
      }
    }

    /// RFC 9112, 7.1: hexadecimal digits, and extensions, which are ignored.
    private static func chunkSize(_ line: String) throws(Malformed) -> Int {
      let digits = line.prefix { $0 != ";" }.trimmingSuffix(while: { $0 == " " || $0 == "\t" })
      guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
        let size = Int(digits, radix: 16)
      else { throw Malformed(reason: "'\(line.prefix(100))' is not a valid size of a chunk") }
      return size
    }

    private mutating func enter(_ phase: Phase, allowance: Int = Self.limit) {
      self.phase = phase
      self.allowance = allowance
    }

    private mutating func finish() -> Event {
      enter(.requestLine)
      return .request(request)
    }

    private mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
      guard buffer.count - position >= count else { return nil }
      defer {
        position += count
        scanned = position
      }
      return buffer[position..<position + count]
    }

    private mutating func takeLine() throws(Malformed) -> String? {
      let end = buffer[scanned...].firstIndex(of: UInt8(ascii: "\n"))
      // Also without the end of the line: a client that begins with TLS waits before it sends more.
      try Self.check(buffer[scanned..<(end ?? buffer.count)])
      scanned = end.map { $0 + 1 } ?? buffer.count
      guard scanned - position <= allowance else { throw tooLong }
      guard let end else { return nil }
      allowance -= scanned - position
      var line = buffer[position..<end]
      position = scanned
      if line.last == UInt8(ascii: "\r") { line.removeLast() }
      // RFC 9112, 2.2: no carriage return alone.
      guard !line.contains(UInt8(ascii: "\r")) else { throw Self.controlCharacter }
      return String(decoding: line, as: UTF8.self)
    }

    /// RFC 9110, 5.5: no control character but the tab, and the carriage return at the end of a
    /// line.
    private static func check(_ bytes: ArraySlice<UInt8>) throws(Malformed) {
      let isValid = bytes.allSatisfy {
        $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
      }
      if !isValid { throw controlCharacter }
    }

    private static var controlCharacter: Malformed {
      Malformed(reason: "a line contains a control character")
    }

    /// RFC 9112, 3, and RFC 6585, 5.
    private var tooLong: Malformed {
      switch phase {
      case .requestLine:
        Malformed(status: 414, reason: "the request line is longer than \(Self.limit) bytes")
      case .fields:
        Malformed(status: 431, reason: "the header fields are longer than \(Self.limit) bytes")
      case .trailer:
        Malformed(status: 431, reason: "the trailer fields are longer than \(Self.limit) bytes")
      case .chunkSize, .chunkEnd, .chunk, .body:
        Malformed(
          reason: "the line before a chunk is longer than \(Self.chunkLineLimit) bytes")
      }
    }
  }

  extension Substring {
    fileprivate func trimmingSuffix(while isTrimmed: (Character) -> Bool) -> Substring {
      var text = self
      while let last = text.last, isTrimmed(last) { text.removeLast() }
      return text
    }
  }
#endif
