public import Foundation

extension HTTPStub {
  /// What a stub demands of a request, beyond method and path.
  ///
  /// ```swift
  /// http.stub(.post, "/users", where: .json(["name": "Ann"]), returns: .status(201))
  /// ```
  public struct Matcher: Sendable {
    /// Says why a request is not the one, or `nil` if it is.
    let mismatch: @Sendable (Request) -> String?
    /// What tells it from others; `nil` if that is unknown.
    let identity: String?

    /// Demands that the query has an item, with a value if one is given.
    public static func query(_ name: String, _ value: String? = nil) -> Matcher {
      Matcher(identity: "query \(name)=\(value ?? "*")") {
        Self.compare("The query item '\(name)'", $0.query[name], to: value)
      }
    }

    /// Demands that the request has a header field, with a value if one is given.
    public static func header(_ name: String, _ value: String? = nil) -> Matcher {
      Matcher(identity: "header \(name.lowercased()): \(value ?? "*")") {
        Self.compare("The header field '\(name)'", $0.headers[name], to: value)
      }
    }

    /// Demands a body of these bytes.
    public static func body(_ body: Data) -> Matcher {
      Matcher(identity: "body \(body.base64EncodedString())") { request in
        guard request.body != body else { return nil }
        return "The body is '\(excerpt(of: request.body))', not '\(excerpt(of: body))'."
      }
    }

    /// Demands a body of this text.
    public static func body(_ text: String) -> Matcher { body(Data(text.utf8)) }

    /// Demands a body whose JSON is equal to a value's, in whatever order and layout.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder())
      -> Matcher
    {
      do {
        return json(try encoder.encode(value))
      } catch {
        let reason = "A '\(type(of: value))' cannot be encoded as JSON: \(error)"
        return Matcher(identity: nil) { _ in reason }
      }
    }

    /// Demands a body whose JSON is equal to that of a text.
    public static func json(text: String) -> Matcher { json(Data(text.utf8)) }

    private static func json(_ data: Data) -> Matcher {
      let expected: JSONValue
      do {
        expected = try JSONValue(data)
      } catch {
        let reason = "The stub demands something that is not JSON: '\(excerpt(of: data))'."
        return Matcher(identity: nil) { _ in reason }
      }
      return Matcher(identity: "json \(expected)") { request in
        guard let actual = try? JSONValue(request.body) else {
          return "The body is not JSON: '\(excerpt(of: request.body))'."
        }
        return actual.difference(from: expected).map { "The JSON of the body: \($0)" }
      }
    }

    /// Demands whatever a closure says.
    ///
    /// - Parameters:
    ///   - description: What is demanded, as it appears in messages.
    ///   - predicate: Whether a request is the one.
    public static func matching(
      _ description: String, _ predicate: @escaping @Sendable (Request) -> Bool
    ) -> Matcher {
      Matcher(identity: nil) { predicate($0) ? nil : "It is not one that \(description)." }
    }

    private init(identity: String?, _ mismatch: @escaping @Sendable (Request) -> String?) {
      self.identity = identity
      self.mismatch = mismatch
    }

    private static func compare(_ what: String, _ actual: String?, to expected: String?) -> String?
    {
      guard let actual else { return "\(what) is missing." }
      guard let expected, actual != expected else { return nil }
      return "\(what) is '\(actual)', not '\(expected)'."
    }
  }
}
