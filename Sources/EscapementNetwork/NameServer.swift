import CReach
import IssueReporting

/// How the hosts of a ``SimulatedNetwork`` find each other by name.
public struct NameServer: Sendable, Hashable {
  /// How long a host waits for an answer, from zero on.
  ///
  /// One that takes longer than 10 s is none.
  public var latency: Duration
  /// Whether there is no answer.
  ///
  /// A host asks twice, and waits 5 s each time, as Linux does by default. If the server is back by
  /// the second time, it answers. Else `getaddrinfo` fails with `EAI_AGAIN` after 10 s.
  public var isDown: Bool

  /// Makes a name server that answers at once, unless something else is given.
  public init(latency: Duration = .zero, isDown: Bool = false) {
    self.latency = latency
    self.isDown = isDown
  }
}

extension SimulatedNetwork {
  /// How hosts find each other by name.
  ///
  /// By default the names of all hosts are known at once. Addresses, `localhost`, and code that
  /// belongs to no host, need no name server. Nothing is remembered by the system: each
  /// `getaddrinfo` asks anew.
  public var nameServer: NameServer {
    get {
      let server = rch_the_name_server()
      return NameServer(latency: .nanoseconds(server.latency), isDown: server.is_down)
    }
    nonmutating set {
      if newValue.latency < .zero {
        reportIssue("The latency of a name server is \(newValue.latency), less than zero.")
      }
      let latency = newValue.latency.clampedNanoseconds
      rch_set_name_server(rch_name_server(latency: latency, is_down: newValue.isDown))
    }
  }

  /// Gives a name to a host, whoever had it before, or takes it from all hosts.
  ///
  /// From now on, the name resolves to the addresses of the host, or fails with `EAI_NONAME` if there
  /// is none. Connections stay as they are. A host may have several names, and keeps its first
  /// one for ``host(_:fileID:filePath:line:column:)``.
  ///
  /// - `name`: The case of its letters does not matter.
  /// - `fileID`, `filePath`, `line`, `column`: The place at which a name that cannot be is reported;
  ///   by default that of the caller.
  /// - Complexity: O(n), where n is the number of names that were given in this way.
  public func setName(
    _ name: String, to host: SimulatedHost?, fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) {
    if let problem = SimulatedHost.problem(withName: name) {
      reportIssue(problem, fileID: fileID, filePath: filePath, line: line, column: column)
    }
    if let host, host.number == 0 { return }
    rch_set_name(name, host?.number ?? 0)
  }
}
