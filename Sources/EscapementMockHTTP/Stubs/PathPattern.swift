import Foundation

/// The path of a stub, such as `/users/:id`, `/files/*` or, with a server, `https://example.com/users/:id`.
struct PathPattern: Equatable {
  enum Segment: Hashable {
    case literal(String)
    case parameter(String)
    /// One or more segments, up to the end.
    case rest
  }

  /// Why a text is not a valid pattern.
  struct Malformed: Error {
    let reason: String
  }

  let text: String
  /// Scheme, host and port; `nil` for every server of HTTP.
  private let origin: String?
  private let matchesEverything: Bool
  let segments: [Segment]

  init(_ text: String) throws(Malformed) {
    self.text = text
    matchesEverything = false
    var path = text[...]
    if let scheme = text.range(of: "://") {
      let end = text[scheme.upperBound...].firstIndex(of: "/") ?? text.endIndex
      guard scheme.lowerBound > text.startIndex, end > scheme.upperBound else {
        throw Malformed(reason: "the server before the path is incomplete")
      }
      origin = text[..<end].lowercased()
      path = end == text.endIndex ? "/" : text[end...]
    } else {
      origin = nil
    }
    guard path.first == "/" else { throw Malformed(reason: "the path does not begin with '/'") }
    if let character = path.first(where: { "?#".contains($0) }) {
      throw Malformed(
        reason: "it contains '\(character)'; to match a query, use 'where: .query(…)'")
    }
    if let character = path.first(where: \.isWhitespace) {
      throw Malformed(reason: "it contains '\(character)', which a URL cannot contain; write '%20'")
    }
    segments = try Self.segments(of: path)
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
    text = "*"
    origin = nil
    segments = [.rest]
    matchesEverything = true
  }

  /// The parameters in an address that matches; `nil` if the address does not match.
  func parameters(in address: HTTPStub.Address) -> [String: String]? {
    if matchesEverything { return [:] }
    guard matchesOrigin(of: address) else { return nil }
    let parts = address.segments
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

  private func matchesOrigin(of address: HTTPStub.Address) -> Bool {
    origin.map { $0 == address.origin } ?? address.isHTTP
  }

  // MARK: Precedence

  /// Equal for patterns that match the same URLs.
  var shape: [String] {
    [origin ?? ""]
      + segments.map {
        switch $0 {
        case .literal(let literal): "=\(literal)"
        case .parameter: ":"
        case .rest: "*"
        }
      }
  }

  /// How specific the pattern is, segment by segment.
  ///
  /// A greater value goes first.
  var precedence: [Int] {
    [origin == nil ? 0 : 1]
      + segments.map {
        switch $0 {
        case .literal: 2
        case .parameter: 1
        case .rest: 0
        }
      }
  }
}
