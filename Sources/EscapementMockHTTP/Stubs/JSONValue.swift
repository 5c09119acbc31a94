import Foundation

/// A JSON value, which can be compared regardless of the order of keys and the layout.
enum JSONValue: Decodable, Equatable {
  case null
  case bool(Bool)
  case number(Decimal)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(_ data: Data) throws { self = try JSONDecoder().decode(JSONValue.self, from: data) }

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Decimal.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// The first difference and its path; `nil` if the values are equal.
  func difference(from expected: JSONValue, at path: String = "$") -> String? {
    switch (self, expected) {
    case (.object(let actual), .object(let expected)):
      for key in Set(actual.keys).union(expected.keys).sorted() {
        let place = "\(path).\(key)"
        switch (actual[key], expected[key]) {
        case (let actual?, let expected?):
          if let difference = actual.difference(from: expected, at: place) { return difference }
        case (let actual?, nil): return "\(place) is \(actual), but is not expected."
        case (nil, let expected?): return "\(place) is missing; it should be \(expected)."
        case (nil, nil): continue
        }
      }
      return nil
    case (.array(let actual), .array(let expected)) where actual.count == expected.count:
      for (index, (actual, expected)) in zip(actual, expected).enumerated() {
        let place = "\(path)[\(index)]"
        if let difference = actual.difference(from: expected, at: place) { return difference }
      }
      return nil
    case (.array(let actual), .array(let expected)):
      return "\(path) has \(actual.count) elements, not \(expected.count)."
    case (let actual, let expected):
      return actual == expected ? nil : "\(path) is \(actual), not \(expected)."
    }
  }
}

extension JSONValue: CustomStringConvertible {
  /// The JSON text, with sorted keys.
  var description: String {
    switch self {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): "\(value)"
    case .string(let value): value.debugDescription
    case .array(let values): "[\(values.map(\.description).joined(separator: ","))]"
    case .object(let fields):
      "{\(Self.members(of: fields))}"
    }
  }

  private static func members(of fields: [String: JSONValue]) -> String {
    fields.sorted { $0.key < $1.key }.map { "\($0.debugDescription):\($1)" }
      .joined(separator: ",")
  }
}
