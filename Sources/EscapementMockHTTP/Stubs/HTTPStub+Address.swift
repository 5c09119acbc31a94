import Foundation

extension HTTPStub {
  /// The address of a request, in the form in which it is compared with the paths of stubs.
  struct Address {
    /// Scheme, host and port, in lower case; without the port if it is that of the scheme.
    let origin: String
    /// The segments of the path, without escapes.
    let segments: [String]
    /// The error with which a real session fails before it sends anything; `nil` if it can load the
    /// address.
    let error: URLError.Code?
    /// Whether a path without a server in front can match.
    let isHTTP: Bool

    init(_ url: URL) {
      let url = url.absoluteURL
      let scheme = url.scheme?.lowercased() ?? ""
      let host = url.host ?? ""
      origin = Self.origin(scheme: scheme, host: host, port: url.port)
      isHTTP = ["http", "https"].contains(scheme) && !host.isEmpty
      segments = Self.segments(of: url)
      error =
        switch scheme {
        case "http", "https": host.isEmpty ? .badURL : nil
        // Foundation loads these without a network.
        case "data", "file": nil
        // Hosts of FTP do not exist in a network that consists of stubs for HTTP.
        case "ftp": .cannotFindHost
        default: .unsupportedURL
        }
    }

    /// The form in which servers are compared.
    static func origin(scheme: String, host: String, port: Int?) -> String {
      let scheme = scheme.lowercased()
      // Foundation removes the brackets of an IPv6 address.
      let host = host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host.lowercased()
      let port = port.flatMap { $0 == ["http": 80, "https": 443][scheme] ? nil : ":\($0)" }
      return "\(scheme)://\(host)\(port ?? "")"
    }

    private static func segments(of url: URL) -> [String] {
      let path =
        URLComponents(url: url, resolvingAgainstBaseURL: true)?.percentEncodedPath ?? url.path
      guard path.contains(where: { $0 != "/" }) else { return [""] }
      return path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map {
        $0.removingPercentEncoding ?? String($0)
      }
    }
  }
}

extension HTTPStub.Request {
  var address: HTTPStub.Address { HTTPStub.Address(url) }
}
