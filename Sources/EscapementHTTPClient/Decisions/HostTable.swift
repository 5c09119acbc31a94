#if AsyncHTTPClient
  /// A value for each host, of which at least those that were used last are kept, up to a limit.
  ///
  /// Values are in two generations. When the younger one has reached the limit, the older one is
  /// forgotten, and the younger one takes its place. A use brings a value into the younger one. So
  /// each call is O(1), and a client that visits ever new hosts does not grow.
  struct HostTable<Value> {
    private let limit: Int
    private var younger: [String: Value] = [:]
    private var older: [String: Value] = [:]

    init(limit: Int) { self.limit = max(limit, 1) }

    var count: Int { younger.count + older.count }

    /// The values of the hosts that are kept.
    var values: [String: Value] { younger.merging(older) { newer, _ in newer } }

    mutating func value<Failure: Error>(
      for host: String, orInsert make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
      if let value = younger[host] { return value }
      let value = if let value = older.removeValue(forKey: host) { value } else { try make() }
      if younger.count >= limit { (older, younger) = (younger, [:]) }
      younger[host] = value
      return value
    }

    /// The scheme, host and port of an address, in lower case, without its user and a port that is the
    /// usual one; or the path of a socket.
    static func key(of url: String) -> String {
      let bytes = url.utf8
      if url.hasPrefix("unix:") { return url }
      let colon = bytes.firstIndex(of: UInt8(ascii: ":")) ?? bytes.startIndex
      let authority = bytes[colon...].drop { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "/") }
        .prefix { !"/?#".utf8.contains($0) }
      let user = authority.lastIndex(of: UInt8(ascii: "@")).map(bytes.index(after:))
      let host = bytes[(user ?? authority.startIndex)..<authority.endIndex]
      let scheme = url[..<colon].lowercased()
      // The path of a socket minds the case.
      if scheme.hasSuffix("+unix") { return "\(scheme)://\(Substring(host))" }
      let address = "\(scheme)://\(Substring(host).lowercased())"
      let usualPort = ["http": ":80", "https": ":443"][scheme]
      return usualPort.map { address.hasSuffix($0) } ?? false
        ? String(address.dropLast(usualPort!.count)) : address
    }
  }
#endif
