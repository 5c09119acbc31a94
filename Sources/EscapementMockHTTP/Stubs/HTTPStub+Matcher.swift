public import Foundation

extension HTTPStub {
  /// A condition that a request must meet, in addition to the method and the path of a stub.
  ///
  /// ```swift
  /// http.stub(.post, "/users", where: .json(["name": "Ann"]), returns: .status(201))
  /// ```
  public struct Matcher: Sendable {
    /// Returns why a request does not meet the condition; `nil` if it does.
    let mismatch: @Sendable (Request, RequestParts) -> String?
    /// Equal for equal conditions; `nil` if conditions cannot be compared.
    let identity: String?

    /// The query must have an item, with this value if one is given.
    ///
    /// If the item occurs more than once, one of its values must be this one.
    public static func query(_ name: String, _ value: String? = nil) -> Matcher {
      Matcher(identity: "query \([name, value])") { _, parts in
        Self.compare("The query item '\(name)'", parts.queryValues(name), to: value)
      }
    }

    /// The request must have a header field, with this value if one is given.
    public static func header(_ name: String, _ value: String? = nil) -> Matcher {
      Matcher(identity: "header \([name.lowercased(), value])") { request, _ in
        let actual = request.headers[name].map { [$0] } ?? []
        return Self.compare("The header field '\(name)'", actual, to: value)
      }
    }

    /// The body must consist of these bytes.
    public static func body(_ body: Data) -> Matcher {
      Matcher(identity: "body \(body.base64EncodedString())") { request, _ in
        guard request.body != body else { return nil }
        return "The body is '\(excerpt(of: request.body))', not '\(excerpt(of: body))'."
      }
    }

    /// The body must be this text, in UTF-8.
    public static func body(_ text: String) -> Matcher { body(Data(text.utf8)) }

    /// The body must be JSON equal to that of a value; the order of keys and the layout do not
    /// matter.
    public static func json(_ value: some Encodable, encoder: JSONEncoder = JSONEncoder())
      -> Matcher
    {
      do {
        return json(try encoder.encode(value))
      } catch {
        let reason = "A '\(type(of: value))' cannot be encoded as JSON: \(error)"
        return Matcher(identity: nil) { _, _ in reason }
      }
    }

    /// The body must be JSON equal to that of a text; the order of keys and the layout do not
    /// matter.
    public static func json(text: String) -> Matcher { json(Data(text.utf8)) }

    private static func json(_ data: Data) -> Matcher {
      let expected: JSONValue
      do {
        expected = try JSONValue(data)
      } catch {
        let reason = "The matcher of the stub is not valid JSON: '\(excerpt(of: data))'."
        return Matcher(identity: nil) { _, _ in reason }
      }
      return Matcher(identity: "json \(expected)") { request, parts in
        guard let actual = parts.json else {
          return "The body is not JSON: '\(excerpt(of: request.body))'."
        }
        return actual.difference(from: expected).map { "The JSON of the body: \($0)" }
      }
    }

    /// A closure must return `true` for the request.
    ///
    /// The closure gets only requests whose method and path fit the stub, with the parameters of
    /// the path.
    ///
    /// - Parameters:
    ///   - description: The condition in words, for messages, such as "has a token".
    ///   - predicate: Whether a request meets the condition.
    public static func matching(
      _ description: String, _ predicate: @escaping @Sendable (Request) -> Bool
    ) -> Matcher {
      Matcher(identity: nil) { request, _ in
        predicate(request) ? nil : "The condition '\(description)' is not met."
      }
    }

    private init(
      identity: String?, _ mismatch: @escaping @Sendable (Request, RequestParts) -> String?
    ) {
      self.identity = identity
      self.mismatch = mismatch
    }

    private static func compare(
      _ what: String, _ actual: [String], to expected: String?
    ) -> String? {
      guard !actual.isEmpty else { return "\(what) is missing." }
      guard let expected, !actual.contains(expected) else { return nil }
      let values = actual.map { "'\($0)'" }.joined(separator: " and ")
      return "\(what) is \(values), not '\(expected)'."
    }
  }
}
