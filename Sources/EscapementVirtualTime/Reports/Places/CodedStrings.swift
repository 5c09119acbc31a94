/// A value that was encoded as strings by name, for types that can only be made by decoding.
struct CodedStrings: Decoder {
  struct Unsupported: Error {}

  private let strings: [String: String]

  init(_ strings: [String: String]) { self.strings = strings }

  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(Container(strings: strings))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer { throw Unsupported() }
  func singleValueContainer() throws -> any SingleValueDecodingContainer { throw Unsupported() }

  private struct Container<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let strings: [String: String]

    var codingPath: [any CodingKey] { [] }
    var allKeys: [Key] { strings.keys.compactMap(Key.init) }

    func contains(_ key: Key) -> Bool { strings[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { !contains(key) }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      guard let value = strings[key.stringValue] as? Value else { throw Unsupported() }
      return value
    }

    func nestedContainer<NestedKey: CodingKey>(
      keyedBy type: NestedKey.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<NestedKey> { throw Unsupported() }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      throw Unsupported()
    }
    func superDecoder() throws -> any Decoder { throw Unsupported() }
    func superDecoder(forKey key: Key) throws -> any Decoder { throw Unsupported() }
  }
}

/// The text in Base64 (RFC 4648, section 4), without padding.
func base64(_ bytes: [UInt8]) -> String {
  let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
  var text = ""
  for start in stride(from: 0, to: bytes.count, by: 3) {
    let group = bytes[start..<min(start + 3, bytes.count)]
    // Three bytes, the missing ones as 0, are four digits of 6 bits.
    let word = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
    for digit in 0...group.count { text.append(alphabet[word >> (18 - 6 * digit) & 63]) }
  }
  return text
}
