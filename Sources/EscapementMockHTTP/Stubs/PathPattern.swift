import Foundation

/// The path of a stub, such as `/users/:id`, `/files/*` or, with a server,
/// `https://example.com/users/:id`.
struct PathPattern: Equatable {
  enum Segment: Hashable {
    case literal(String)
    case parameter(String)
    /// One or more segments, up to the end.
    case rest
  }

  /// The servers to whose requests a pattern applies.
  enum Server: Hashable {
    /// Every server of HTTP.
    case http
    /// A server, in the form of ``HTTPStub/Address/origin``.
    case named(String)
    /// All addresses, also those that no session can load.
    case everything

    /// The servers that fit an address.
    static func fitting(_ address: HTTPStub.Address) -> [Server] {
      [.named(address.origin), .everything] + (address.isHTTP ? [.http] : [])
    }
  }

  /// Why a text is not a valid pattern.
  struct Malformed: Error {
    let reason: String
  }

  let text: String
  let server: Server
  /// The part after the server.
  let path: String
  let segments: [Segment]

  init(_ text: String) throws(Malformed) {
    self.text = text
    var path = text[...]
    if text.first != "/", let scheme = text.range(of: "://") {
      let end = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
      guard scheme.lowerBound > text.startIndex, end > scheme.upperBound else {
        throw Malformed(reason: "the server before the path is incomplete")
      }
      server = .named(try Self.origin(String(text[..<end])))
      path = end == text.endIndex ? "/" : text[end...]
    } else {
      server = .http
    }
    guard path.first == "/" else { throw Malformed(reason: "the path does not begin with '/'") }
    if let character = path.first(where: { "?#".contains($0) }) {
      throw Malformed(
        reason: "it contains '\(character)'; to match a query, use 'where: .query(…)'")
    }
    if let character = path.first(where: \.isWhitespace) {
      throw Malformed(reason: "it contains '\(character)', which a URL cannot contain; write '%20'")
    }
    self.path = String(path)
    segments = try Self.segments(of: path)
  }

  private static func origin(_ server: String) throws(Malformed) -> String {
    guard let parts = URLComponents(string: server), let scheme = parts.scheme,
      let host = parts.host, !host.isEmpty, parts.user == nil, parts.query == nil,
      parts.fragment == nil, !host.contains("*")
    else {
      throw Malformed(reason: "'\(server)' is not a scheme and a host, with or without a port")
    }
    return HTTPStub.Address.origin(scheme: scheme, host: host, port: parts.port)
  }

  private static func segments(of path: Substring) throws(Malformed) -> [Segment] {
    var segments: [Segment] = []
    var names: Set<Substring> = []
    for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
      if segments.last == .rest { throw Malformed(reason: "'*' is allowed only at the end") }
      if part == "*" {
        segments.append(.rest)
      } else if part.hasPrefix(":") {
        let name = part.dropFirst()
        guard let first = name.first, first.isLetter || first == "_",
          name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
        else { throw Malformed(reason: "'\(part)' is not a valid name of a parameter") }
        guard names.insert(name).inserted else {
          throw Malformed(reason: "the parameter '\(part)' occurs twice")
        }
        segments.append(.parameter(String(name)))
      } else {
        guard let literal = part.removingPercentEncoding else {
          throw Malformed(reason: "the escapes in '\(part)' are not UTF-8")
        }
        segments.append(.literal(literal))
      }
    }
    return segments
  }

  /// A pattern that matches all addresses, also those that no session can load.
  static let everything = PathPattern()

  private init() {
    (text, path) = ("*", "*")
    server = .everything
    segments = [.rest]
  }

  /// The parameters in an address that matches; `nil` if the address does not match.
  func parameters(in address: HTTPStub.Address) -> [String: String]? {
    isServer(of: address) ? parameters(in: address.segments) : nil
  }

  /// Whether an address is on the server of the pattern.
  func isServer(of address: HTTPStub.Address) -> Bool { Server.fitting(address).contains(server) }

  /// The parameters in a path that matches; `nil` if the path does not match.
  func parameters(in parts: [String]) -> [String: String]? {
    var parameters: [String: String] = [:]
    for (index, segment) in segments.enumerated() {
      guard index < parts.count else { return nil }
      switch segment {
      case .literal(let literal): if parts[index] != literal { return nil }
      case .parameter(let name):
        if parts[index].isEmpty { return nil }
        parameters[name] = parts[index]
      case .rest: return parameters
      }
    }
    return parts.count == segments.count ? parameters : nil
  }

  /// How similar an address is to the pattern, to find the closest stub.
  func likeness(to address: HTTPStub.Address) -> Int {
    zip(segments, address.segments).count { segment, part in
      if case .literal(let literal) = segment { literal == part } else { true }
    } - abs(segments.count - address.segments.count)
  }

  // MARK: Precedence

  /// Equal for patterns that match the same URLs.
  var shape: Shape {
    Shape(
      server: server,
      segments: segments.map { if case .parameter = $0 { .parameter("") } else { $0 } })
  }

  /// The paths that a pattern matches, without the names of its parameters.
  struct Shape: Hashable {
    let server: Server
    let segments: [Segment]
  }

  /// How specific the pattern is, segment by segment.
  ///
  /// A greater value goes first.
  var precedence: [Int] {
    [server == .http ? 0 : 1]
      + segments.map {
        switch $0 {
        case .literal: 2
        case .parameter: 1
        case .rest: 0
        }
      }
  }
}
