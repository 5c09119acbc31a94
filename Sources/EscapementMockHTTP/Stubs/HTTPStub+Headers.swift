extension HTTPStub {
  /// The header fields of a request or a response.
  ///
  /// Names are case-insensitive. A field may be repeated, as `Set-Cookie` is; its values keep their
  /// order.
  public struct Headers: Sendable, Equatable, ExpressibleByDictionaryLiteral,
    CustomStringConvertible
  {
    /// The fields by their names in lower case.
    private var fields: [String: (name: String, values: [String])] = [:]

    /// Makes header fields from names and values.
    public init(_ fields: [String: String] = [:]) {
      for (name, value) in fields { append(value, to: name) }
    }

    /// Makes header fields from names and values; a name may be repeated.
    public init(dictionaryLiteral elements: (String, String)...) {
      for (name, value) in elements { append(value, to: name) }
    }

    /// The value of a field; the values of a repeated field are joined, as RFC 9110, 5.3 describes.
    ///
    /// Setting it replaces all values of the field.
    public subscript(name: String) -> String? {
      get {
        guard let values = fields[name.lowercased()]?.values else { return nil }
        // RFC 6265, 5.4: the separator of cookies is not a comma.
        return values.joined(separator: name.lowercased() == "cookie" ? "; " : ", ")
      }
      set { fields[name.lowercased()] = newValue.map { (name, [$0]) } }
    }

    /// The values of a field, one for each time that it occurs.
    public subscript(values name: String) -> [String] {
      get { fields[name.lowercased()]?.values ?? [] }
      set { fields[name.lowercased()] = newValue.isEmpty ? nil : (name, newValue) }
    }

    /// Adds a value to a field, which may have values already.
    public mutating func append(_ value: String, to name: String) {
      // In place: a copy of the values for each of them would take quadratic time.
      let key = name.lowercased()
      fields[key, default: (name, [])].values.append(value)
      fields[key]?.name = name
    }

    /// The fields, with the names in their original spelling, and repeated fields joined.
    public var dictionary: [String: String] {
      Dictionary(uniqueKeysWithValues: fields.values.map { ($0.name, self[$0.name] ?? "") })
    }

    /// The fields in the order of their names, one for each value.
    package var lines: [(name: String, value: String)] {
      fields.sorted { $0.key < $1.key }.flatMap { _, field in
        field.values.map { (field.name, $0) }
      }
    }

    /// The fields, one per line, ordered by name.
    public var description: String {
      lines.map { "\($0.name): \($0.value)" }.joined(separator: "\n")
    }

    /// Whether both have the same fields with the same values.
    public static func == (lhs: Headers, rhs: Headers) -> Bool {
      lhs.fields.mapValues(\.values) == rhs.fields.mapValues(\.values)
    }

    /// Why the fields cannot be sent; `nil` if they can.
    ///
    /// RFC 9110, 5.1 and 5.5: a name is a token, and a value has no line breaks and no zero
    /// character.
    var problem: String? {
      for (name, value) in lines {
        guard name.isToken else {
          return "\(name.debugDescription) is not a valid name of a header field."
        }
        if value.utf8.contains(where: { [0x00, 0x0A, 0x0D].contains($0) }) {
          return "The header field '\(name)' has a line break or a zero character in its value."
        }
      }
      return nil
    }

    /// The fields of RFC 9110 and RFC 9112 that a response has at most once.
    static let singleNames: Set = [
      "age", "content-length", "content-location", "content-range", "content-type", "date", "etag",
      "expires", "last-modified", "location", "retry-after", "server", "transfer-encoding",
    ]
  }
}

extension StringProtocol {
  /// Whether the text is a token, as names of methods and fields are (RFC 9110, 5.6.2).
  package var isToken: Bool {
    !isEmpty
      && utf8.allSatisfy {
        $0 > 0x20 && $0 < 0x7F && !"()<>@,;:\\\"/[]?={}".utf8.contains($0)
      }
  }
}
