/// Finds the stubs whose method and path fit a request.
///
/// A trie of the segments of the paths, for each server and for all servers. A look-up visits only
/// the segments that fit: it does not depend on the number of stubs.
struct StubIndex {
  private enum Step: Hashable {
    case literal(String)
    case parameter
  }

  private struct Node {
    var children: [Step: Node] = [:]
    /// The stubs whose path ends here, by method.
    var ends: [HTTPStub.Method: [Int]] = [:]
    /// The stubs whose path goes on with `*`, by method.
    var rests: [HTTPStub.Method: [Int]] = [:]

    mutating func insert(_ id: Int, _ method: HTTPStub.Method, _ path: ArraySlice<Segment>) {
      switch path.first {
      case nil: ends[method, default: []].append(id)
      case .rest: rests[method, default: []].append(id)
      case .literal(let text):
        children[.literal(text), default: Node()].insert(id, method, path.dropFirst())
      case .parameter:
        children[.parameter, default: Node()].insert(id, method, path.dropFirst())
      }
    }

    func find(_ methods: [HTTPStub.Method], _ path: ArraySlice<String>, _ ids: inout [Int]) {
      guard let part = path.first else {
        for method in methods { ids += ends[method] ?? [] }
        return
      }
      for method in methods { ids += rests[method] ?? [] }
      children[.literal(part)]?.find(methods, path.dropFirst(), &ids)
      if !part.isEmpty { children[.parameter]?.find(methods, path.dropFirst(), &ids) }
    }
  }

  private typealias Segment = PathPattern.Segment

  private var servers: [PathPattern.Server: Node] = [:]

  mutating func insert(_ id: Int, _ method: HTTPStub.Method, _ pattern: PathPattern) {
    servers[pattern.server, default: Node()].insert(id, method, pattern.segments[...])
  }

  /// The numbers of the stubs that fit, in the order in which they were inserted.
  func ids(_ method: HTTPStub.Method, _ address: HTTPStub.Address) -> [Int] {
    let methods: [HTTPStub.Method] = method == .any ? [.any] : [method, .any]
    var ids: [Int] = []
    for server in PathPattern.Server.fitting(address) {
      servers[server]?.find(methods, address.segments[...], &ids)
    }
    return ids.sorted()
  }
}
