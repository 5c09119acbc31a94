// URLs and their errors. Availability is that of developer.apple.com/documentation/foundation: a
// declaration without `@available` is older than the platforms of the package. A class is Sendable
// if Apple's headers mark it so, as the bindings of github.com/madsmtm/objc2-generated show, and if
// the package needs it; else this is stricter.

public struct URL: Hashable, Sendable, Codable, CustomStringConvertible {
  public init?(string: String) { fatalError() }
  public init?(string: String, relativeTo base: URL?) { fatalError() }
  public init(fileURLWithPath path: String) { fatalError() }
  public init(fileURLWithPath path: String, isDirectory: Bool) { fatalError() }
  public var absoluteString: String { fatalError() }
  public var absoluteURL: URL { fatalError() }
  public var scheme: String? { fatalError() }
  public var host: String? { fatalError() }
  public var port: Int? { fatalError() }
  public var path: String { fatalError() }
  public var query: String? { fatalError() }
  public var fragment: String? { fatalError() }
  public var lastPathComponent: String { fatalError() }
  public var pathExtension: String { fatalError() }
  public var isFileURL: Bool { fatalError() }
  public func appendingPathComponent(_ component: String) -> URL { fatalError() }
  public func deletingLastPathComponent() -> URL { fatalError() }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
  public func path(percentEncoded: Bool = true) -> String { fatalError() }
  @available(macOS 13.0, iOS 16.0, tvOS 16.0, watchOS 9.0, *)
  public func host(percentEncoded: Bool = true) -> String? { fatalError() }
  public var description: String { fatalError() }
}

public struct URLQueryItem: Hashable, Sendable {
  public init(name: String, value: String?) { fatalError() }
  public var name: String
  public var value: String?
}

public struct URLComponents: Hashable, Sendable {
  public init() { fatalError() }
  public init?(string: String) { fatalError() }
  public init?(url: URL, resolvingAgainstBaseURL resolve: Bool) { fatalError() }
  public var url: URL? { fatalError() }
  public var string: String? { fatalError() }
  public var scheme: String?
  public var user: String?
  public var password: String?
  public var host: String?
  public var port: Int?
  public var path: String
  public var query: String?
  public var fragment: String?
  public var percentEncodedPath: String
  public var percentEncodedQuery: String?
  public var queryItems: [URLQueryItem]?
  public var percentEncodedQueryItems: [URLQueryItem]?
}

public struct URLError: Error, Hashable, Sendable {
  public struct Code: RawRepresentable, Hashable, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
  }
  public init(_ code: Code, userInfo: [String: Any] = [:]) { fatalError() }
  public var code: Code { fatalError() }
  public static func == (a: URLError, b: URLError) -> Bool { fatalError() }
  public func hash(into hasher: inout Hasher) { fatalError() }
  public static var unknown: Code { fatalError() }
  public static var cancelled: Code { fatalError() }
  public static var badURL: Code { fatalError() }
  public static var timedOut: Code { fatalError() }
  public static var unsupportedURL: Code { fatalError() }
  public static var cannotFindHost: Code { fatalError() }
  public static var cannotConnectToHost: Code { fatalError() }
  public static var networkConnectionLost: Code { fatalError() }
  public static var httpTooManyRedirects: Code { fatalError() }
  public static var requestBodyStreamExhausted: Code { fatalError() }
  public static var fileDoesNotExist: Code { fatalError() }
  public static var badServerResponse: Code { fatalError() }
  public static var notConnectedToInternet: Code { fatalError() }
  public static var dataNotAllowed: Code { fatalError() }
}
extension URLError.Code {
  public static var unknown: Self { fatalError() }
  public static var cancelled: Self { fatalError() }
  public static var badURL: Self { fatalError() }
  public static var timedOut: Self { fatalError() }
  public static var unsupportedURL: Self { fatalError() }
  public static var cannotFindHost: Self { fatalError() }
  public static var cannotConnectToHost: Self { fatalError() }
  public static var networkConnectionLost: Self { fatalError() }
  public static var httpTooManyRedirects: Self { fatalError() }
  public static var requestBodyStreamExhausted: Self { fatalError() }
  public static var badServerResponse: Self { fatalError() }
  public static var notConnectedToInternet: Self { fatalError() }
  public static var dataNotAllowed: Self { fatalError() }
}
