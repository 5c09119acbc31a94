public import Foundation

extension HTTPStub {
  /// A request, as it arrived.
  public struct Request: Sendable {
    /// The method.
    public let method: Method
    /// The whole URL.
    public let url: URL
    /// The header fields.
    public let headers: Headers
    /// The body; empty if there is none.
    public let body: Data
    /// The segments of the path that the stub names, by name: `id` for `/users/:id`.
    public internal(set) var parameters: [String: String] = [:]

    /// Makes a request.
    public init(
      _ method: Method, _ url: URL, headers: Headers = [:], body: Data = Data()
    ) {
      self.method = method
      self.url = url
      self.headers = headers
      self.body = body
    }

    /// The path parameter with this name, or else the query item with this name.
    public subscript(name: String) -> String? { parameters[name] ?? query[name] }

    /// The path, with its percent escapes.
    public var path: String { components?.percentEncodedPath ?? url.path }

    /// The values of the query, by name.
    ///
    /// If a name occurs more than once, its last value.
    public var query: [String: String] {
      Dictionary(queryItems.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { $1 })
    }

    /// The items of the query, in their order.
    public var queryItems: [URLQueryItem] { components?.queryItems ?? [] }

    /// The body as text, if it is UTF-8.
    public var text: String? { String(data: body, encoding: .utf8) }

    /// The body's JSON as a value.
    ///
    /// - Throws: The error of the decoder.
    public func json<Value: Decodable>(
      as type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
      try decoder.decode(type, from: body)
    }

    private var components: URLComponents? {
      URLComponents(url: url, resolvingAgainstBaseURL: true)
    }
  }
}

extension HTTPStub.Request: CustomStringConvertible {
  /// The method and the URL, and the beginning of the body.
  public var description: String {
    guard !body.isEmpty else { return "\(method) \(url.absoluteString)" }
    return "\(method) \(url.absoluteString)\nbody: \(excerpt(of: body))"
  }
}

/// The beginning of a body, as it appears in messages.
func excerpt(of body: Data) -> String {
  guard let text = String(data: body.prefix(400), encoding: .utf8) else {
    return "\(body.count) bytes"
  }
  return body.count <= 400 ? text : "\(text)… (\(body.count) bytes)"
}
