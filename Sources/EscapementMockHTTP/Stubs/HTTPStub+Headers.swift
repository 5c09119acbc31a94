extension HTTPStub {
  /// The header fields of a request or a response.
  ///
  /// Names are case-insensitive.
  public struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral,
    CustomStringConvertible
  {
    private var fields: [String: (name: String, value: String)] = [:]

    /// Makes header fields from names and values.
    public init(_ fields: [String: String] = [:]) {
      for (name, value) in fields { self[name] = value }
    }

    /// Makes header fields from names and values.
    public init(dictionaryLiteral elements: (String, String)...) {
      for (name, value) in elements { self[name] = value }
    }

    /// The value of a field.
    public subscript(name: String) -> String? {
      get { fields[name.lowercased()]?.value }
      set { fields[name.lowercased()] = newValue.map { (name, $0) } }
    }

    /// The fields, with the names in their original spelling.
    public var dictionary: [String: String] {
      Dictionary(uniqueKeysWithValues: fields.values.map { ($0.name, $0.value) })
    }

    /// The fields, one per line, ordered by name.
    public var description: String {
      fields.sorted { $0.key < $1.key }.map { "\($0.value.name): \($0.value.value)" }
        .joined(separator: "\n")
    }

    /// Whether both have the same fields with the same values.
    public static func == (lhs: Headers, rhs: Headers) -> Bool {
      lhs.fields.mapValues(\.value) == rhs.fields.mapValues(\.value)
    }
  }
}
