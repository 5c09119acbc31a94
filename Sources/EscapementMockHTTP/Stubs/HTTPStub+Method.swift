extension HTTPStub {
  /// The method of a request, such as `GET`.
  public struct Method: RawRepresentable, Hashable, Sendable, CustomStringConvertible,
    ExpressibleByStringLiteral
  {
    /// The name of the method, in capitals.
    public let rawValue: String

    /// Makes a method from its name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Makes a method from its name.
    public init(stringLiteral value: String) { rawValue = value }

    /// The method's name.
    public var description: String { rawValue }

    /// Stands for every method.
    public static let any: Method = "*"
    /// `GET`.
    public static let get: Method = "GET"
    /// `HEAD`.
    public static let head: Method = "HEAD"
    /// `POST`.
    public static let post: Method = "POST"
    /// `PUT`.
    public static let put: Method = "PUT"
    /// `PATCH`.
    public static let patch: Method = "PATCH"
    /// `DELETE`.
    public static let delete: Method = "DELETE"
    /// `OPTIONS`.
    public static let options: Method = "OPTIONS"

    func matches(_ other: Method) -> Bool { self == .any || self == other }
  }
}
