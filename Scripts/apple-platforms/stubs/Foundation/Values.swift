// Dates, data and texts. Availability is that of developer.apple.com/documentation/foundation: a
// declaration without `@available` is older than the platforms of the package. A class is Sendable
// if Apple's headers mark it so, as the bindings of github.com/madsmtm/objc2-generated show, and if
// the package needs it; else this is stricter.

public struct Date: Comparable, Hashable, Sendable, Codable, CustomStringConvertible {
  public init() { fatalError() }
  public init(timeIntervalSinceNow: TimeInterval) { fatalError() }
  public init(timeIntervalSince1970: TimeInterval) { fatalError() }
  public init(timeIntervalSinceReferenceDate: TimeInterval) { fatalError() }
  public static let distantFuture = Date()
  public static let distantPast = Date()
  public var timeIntervalSinceNow: TimeInterval { fatalError() }
  public var timeIntervalSince1970: TimeInterval { fatalError() }
  public var timeIntervalSinceReferenceDate: TimeInterval { fatalError() }
  public func timeIntervalSince(_ other: Date) -> TimeInterval { fatalError() }
  public func addingTimeInterval(_ interval: TimeInterval) -> Date { fatalError() }
  public static func < (a: Date, b: Date) -> Bool { fatalError() }
  public static func + (a: Date, b: TimeInterval) -> Date { fatalError() }
  public static func - (a: Date, b: TimeInterval) -> Date { fatalError() }
  public var description: String { fatalError() }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  public static var now: Date { fatalError() }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  public func formatted(_ style: ISO8601FormatStyle) -> String { fatalError() }
  @available(macOS 12.0, iOS 15.0, tvOS 15.0, watchOS 8.0, *)
  public struct ISO8601FormatStyle: Sendable {
    public static var iso8601: ISO8601FormatStyle { fatalError() }
  }
}

public struct TimeZone: Hashable, Sendable {
  public init?(identifier: String) { fatalError() }
  public init?(secondsFromGMT: Int) { fatalError() }
  public static let current = TimeZone(secondsFromGMT: 0)!
  public func secondsFromGMT(for date: Date = Date()) -> Int { fatalError() }
}

public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible {
  public init() { fatalError() }
  public init?(uuidString: String) { fatalError() }
  public init(uuid: uuid_t) { fatalError() }
  public var uuidString: String { fatalError() }
  public var description: String { fatalError() }
}

public struct Decimal: Hashable, Comparable, Sendable, Codable, SignedNumeric,
  CustomStringConvertible
{
  public init(integerLiteral value: Int) { fatalError() }
  public init?<T: BinaryInteger>(exactly value: T) { fatalError() }
  public var magnitude: Decimal { fatalError() }
  public static func < (a: Decimal, b: Decimal) -> Bool { fatalError() }
  public static func + (a: Decimal, b: Decimal) -> Decimal { fatalError() }
  public static func - (a: Decimal, b: Decimal) -> Decimal { fatalError() }
  public static func * (a: Decimal, b: Decimal) -> Decimal { fatalError() }
  public static func *= (a: inout Decimal, b: Decimal) { fatalError() }
  public var description: String { fatalError() }
}

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
extension DispatchData: DataProtocol {}

@frozen
public struct Data: DataProtocol, RangeReplaceableCollection, MutableCollection, Hashable, Sendable,
  Codable
{
  public typealias Index = Int
  public typealias SubSequence = Data
  public init() { fatalError() }
  public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { fatalError() }
  public init(count: Int) { fatalError() }
  public init(bytes: UnsafeRawPointer, count: Int) { fatalError() }
  public init(contentsOf url: URL, options: ReadingOptions = []) throws { fatalError() }
  public init?(base64Encoded: String) { fatalError() }
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct Base64EncodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = WritingOptions(rawValue: 1)
  }
  public var startIndex: Int { fatalError() }
  public var endIndex: Int { fatalError() }
  public var count: Int { fatalError() }
  public subscript(index: Int) -> UInt8 {
    get { fatalError() }
    set { fatalError() }
  }
  public subscript(bounds: Range<Int>) -> Data {
    get { fatalError() }
    set { fatalError() }
  }
  public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with elements: C)
  where C.Element == UInt8 {
    fatalError()
  }
  public func write(to url: URL, options: WritingOptions = []) throws { fatalError() }
  public func base64EncodedString(options: Base64EncodingOptions = []) -> String { fatalError() }
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
    fatalError()
  }
}

public struct CharacterSet: Sendable {
  public static var whitespaces: CharacterSet { fatalError() }
  public static var whitespacesAndNewlines: CharacterSet { fatalError() }
  public static var urlPathAllowed: CharacterSet { fatalError() }
  public static var urlQueryAllowed: CharacterSet { fatalError() }
}

extension String {
  public struct Encoding: RawRepresentable, Hashable, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let utf8 = Encoding(rawValue: 4)
  }
  public init?(data: Data, encoding: Encoding) { fatalError() }
  public init(contentsOf url: URL, encoding: Encoding) throws { fatalError() }
  public init(contentsOfFile path: String, encoding: Encoding) throws { fatalError() }
  public init(format: String, _ arguments: any CVarArg...) { fatalError() }
}

extension StringProtocol {
  public func write<T: StringProtocol>(toFile path: T, atomically: Bool, encoding: String.Encoding)
    throws
  {
    fatalError()
  }
  public func trimmingCharacters(in set: CharacterSet) -> String { fatalError() }
  public func components<T: StringProtocol>(separatedBy separator: T) -> [String] { fatalError() }
  public func replacingOccurrences<T: StringProtocol, R: StringProtocol>(
    of target: T, with replacement: R
  ) -> String {
    fatalError()
  }
  public func addingPercentEncoding(withAllowedCharacters allowed: CharacterSet) -> String? {
    fatalError()
  }
  public var removingPercentEncoding: String? { fatalError() }
  public func range<T: StringProtocol>(of string: T) -> Range<Index>? { fatalError() }
  public func contains<T: StringProtocol>(_ other: T) -> Bool { fatalError() }
}

extension String: @retroactive CVarArg {
  public var _cVarArgEncoding: [Int] { fatalError() }
}
