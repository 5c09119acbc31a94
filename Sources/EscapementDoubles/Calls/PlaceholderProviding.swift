public import Foundation

/// A type with a value that stands for an answer which the test has not set.
///
/// A ``Spy`` of a function that cannot throw returns it, after it has failed the test. Optionals,
/// collections, numbers and the common types of Foundation have one. Let a type of your own
/// conform, or pass a `placeholder` to the spy:
///
/// ```swift
/// extension Place: PlaceholderProviding {
///   static var placeholder: Place { Place(name: "placeholder") }
/// }
/// ```
public protocol PlaceholderProviding {
  /// A value without a meaning, such as `nil`, zero or an empty collection.
  static var placeholder: Self { get }
}

// MARK: - Optionals and collections

extension Optional: PlaceholderProviding {
  /// The value `nil`.
  public static var placeholder: Wrapped? { nil }
}

extension PlaceholderProviding where Self: RangeReplaceableCollection {
  /// An empty collection.
  public static var placeholder: Self { Self() }
}

extension Array: PlaceholderProviding {}
extension ArraySlice: PlaceholderProviding {}
extension ContiguousArray: PlaceholderProviding {}
extension String: PlaceholderProviding {}
extension Substring: PlaceholderProviding {}
extension Data: PlaceholderProviding {}

extension Dictionary: PlaceholderProviding {
  /// An empty dictionary.
  public static var placeholder: [Key: Value] { [:] }
}

extension Set: PlaceholderProviding {
  /// An empty set.
  public static var placeholder: Set<Element> { [] }
}

// MARK: - Numbers

extension PlaceholderProviding where Self: AdditiveArithmetic {
  /// Zero.
  public static var placeholder: Self { .zero }
}

extension Int: PlaceholderProviding {}
extension Int8: PlaceholderProviding {}
extension Int16: PlaceholderProviding {}
extension Int32: PlaceholderProviding {}
extension Int64: PlaceholderProviding {}
extension UInt: PlaceholderProviding {}
extension UInt8: PlaceholderProviding {}
extension UInt16: PlaceholderProviding {}
extension UInt32: PlaceholderProviding {}
extension UInt64: PlaceholderProviding {}
extension Float: PlaceholderProviding {}
extension Double: PlaceholderProviding {}
extension CGFloat: PlaceholderProviding {}
extension Decimal: PlaceholderProviding {}
extension Duration: PlaceholderProviding {}

extension Bool: PlaceholderProviding {
  /// The value `false`.
  public static var placeholder: Bool { false }
}

// MARK: - Foundation

extension URL: PlaceholderProviding {
  /// The address `placeholder:`, which no loader knows.
  public static var placeholder: URL { URL(string: "placeholder:")! }
}

extension Date: PlaceholderProviding {
  /// The beginning of 1970, in UTC.
  public static var placeholder: Date { Date(timeIntervalSince1970: 0) }
}

extension UUID: PlaceholderProviding {
  /// The UUID whose bytes are all zero.
  public static var placeholder: UUID {
    UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
  }
}
