import CReach
import IssueReporting

/// A network of hosts in a scope of virtual time, for code that knows nothing of it.
///
/// Servers and clients run unmodified on simulated hosts: SwiftNIO, Hummingbird, gRPC,
/// AsyncHTTPClient, `URLSession`, and sockets of the C library. What a host makes belongs to it:
/// tasks, threads, blocks, event loops, timers.
///
///     @Test(.virtualTime) func `a request takes two ways over the link`() async throws {
///       let network = try SimulatedNetwork()
///       network.links.latency = .milliseconds(40)
///       network.host("shop").run { try await ShopServer(port: 8080).run() }
///       let answer = try await network.host("customer").perform {
///         try await ShopClient("http://shop:8080").order()
///       }
///     }
///
/// Each host has an address of IPv4 and one of IPv6, all ports for itself, and a loopback interface
/// of its own. Its name resolves on all hosts, as do names that the test gives; no other name does.
/// TCP and UDP go through the links of the network: connecting takes a round trip, and a request and
/// its answer another one.
///
/// The network ends with its scope. Tasks that hosts have left are cancelled then, and are no
/// leftovers. Files, Unix sockets and processes are those of the machine. A host that makes another
/// socket of the Internet, such as a raw one, gets the error `EPROTONOSUPPORT`.
///
/// Call all methods from code of the scope. Outside of it, and after its end, they do nothing; those
/// that make a host or run code fail the test.
public struct SimulatedNetwork: Sendable {
  /// Makes the network of the scope to which this code belongs.
  ///
  /// - Throws: ``SimulatedNetworkError``, if the code belongs to no scope of virtual time, if the
  ///   scope has a network, or if the system lacks what the network needs.
  public init() throws(SimulatedNetworkError) {
    switch rch_begin_network() {
    case rch_network_began: break
    case rch_network_exists: throw .scopeHasNetwork
    case rch_network_has_no_scope: throw .noScope
    case rch_network_has_real_threads: throw .queuesAndThreadsAreReal
    default: throw .noSockets
    }
  }

  /// The host with a name, which is made when it is first asked for.
  ///
  /// A network has up to 32,768 hosts.
  ///
  /// - `name`: What other hosts call it. The case of its letters does not matter.
  /// - `fileID`, `filePath`, `line`, `column`: The place at which it is reported if there can be no
  ///   such host; by default that of the caller.
  /// - Complexity: O(n), where n is the number of hosts.
  public func host(
    _ name: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) -> SimulatedHost {
    if let problem = SimulatedHost.problem(withName: name) {
      reportIssue(problem, fileID: fileID, filePath: filePath, line: line, column: column)
    }
    let name = name.lowercased()
    let known = rch_find_host(name)
    let place = known != 0 ? known : rch_add_host(name)
    if place == 0 {
      let error: SimulatedNetworkError = rch_scope_of_network() == 0 ? .noScope : .tooManyHosts
      reportIssue(error, fileID: fileID, filePath: filePath, line: line, column: column)
    }
    return SimulatedHost(name: name, place: place)
  }

  /// All hosts, in the order in which they were made.
  public var hosts: [SimulatedHost] {
    var result: [SimulatedHost] = []
    while let name = rch_host_name(UInt16(result.count + 1)) {
      result.append(SimulatedHost(name: String(cString: name), place: UInt16(result.count + 1)))
    }
    return result
  }

  /// The quality of all links that have none of their own.
  ///
  /// By default nothing takes time, and nothing is lost.
  public var links: LinkQuality {
    get { LinkQuality(rch_link(0, 0)) }
    nonmutating set { rch_set_link(0, 0, newValue.checked) }
  }

  /// Gives one direction of a link a quality of its own; with one host, its loopback interface.
  public func setLink(
    from sender: SimulatedHost, to receiver: SimulatedHost, _ quality: LinkQuality
  ) {
    guard sender.number != 0, receiver.number != 0 else { return }
    rch_set_link(sender.number, receiver.number, quality.checked)
  }

  /// Gives both directions of a link a quality of their own; with one host, its loopback interface.
  public func setLink(between one: SimulatedHost, and other: SimulatedHost, _ quality: LinkQuality)
  {
    setLink(from: one, to: other, quality)
    setLink(from: other, to: one, quality)
  }

  /// The quality of one direction of a link.
  public func link(from sender: SimulatedHost, to receiver: SimulatedHost) -> LinkQuality {
    LinkQuality(rch_link(sender.number, receiver.number))
  }

  // MARK: Faults

  /// Cuts one direction of a link: nothing that the sender sends arrives, until it is healed.
  ///
  /// The link keeps the bytes of connections, and loses datagrams. Neither side is told: connections
  /// stay open, and code that waits for an answer goes on waiting. An attempt to connect ends after
  /// 127 s with `ETIMEDOUT`, and so does a connection after 924.6 s whose side has sent something.
  public func cut(from sender: SimulatedHost, to receiver: SimulatedHost) {
    rch_cut_link(sender.number, receiver.number, true)
  }

  /// Cuts both directions of a link.
  public func cut(_ one: SimulatedHost, _ other: SimulatedHost) {
    cut(from: one, to: other)
    cut(from: other, to: one)
  }

  /// Makes one direction of a link whole: what was kept arrives one latency later.
  public func heal(from sender: SimulatedHost, to receiver: SimulatedHost) {
    rch_cut_link(sender.number, receiver.number, false)
  }

  /// Makes both directions of a link whole.
  public func heal(_ one: SimulatedHost, _ other: SimulatedHost) {
    heal(from: one, to: other)
    heal(from: other, to: one)
  }

  /// Whether one direction of a link is cut.
  public func isCut(from sender: SimulatedHost, to receiver: SimulatedHost) -> Bool {
    rch_link_is_cut(sender.number, receiver.number)
  }

  /// Resets the connections between two hosts: both sides get the error `ECONNRESET` at once.
  ///
  /// - Returns: How many there were.
  /// - Complexity: O(n), where n is the number of connections of the network.
  @discardableResult
  public func resetConnections(between one: SimulatedHost, and other: SimulatedHost) -> Int {
    rch_reset_connections(one.number, other.number)
  }
}
