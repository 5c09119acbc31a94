import Foundation

/// The parts of a request that matchers read.
///
/// Each is parsed only once for all matchers, and only if one needs it.
final class RequestParts {
  private let request: HTTPStub.Request
  /// The body as JSON; `nil` if it is not JSON.
  private(set) lazy var json = try? JSONValue(request.body)
  private lazy var queryItems = request.queryItems

  init(_ request: HTTPStub.Request) { self.request = request }

  /// The values of a query item, one for each time that it occurs.
  func queryValues(_ name: String) -> [String] {
    queryItems.filter { $0.name == name }.map { $0.value ?? "" }
  }
}
