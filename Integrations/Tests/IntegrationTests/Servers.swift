import Escapement
import Foundation
import StoreClients
import Testing

/// The servers that `Scripts/integrations` has started.
enum Servers {
  private static func number(_ server: StoreKind, _ name: String) -> Int32 {
    let variable = "ESCAPEMENT_\(server.rawValue.uppercased())_\(name)"
    return ProcessInfo.processInfo.environment[variable].flatMap(Int32.init) ?? 0
  }

  /// The port for clients; 0 if the server is not running.
  static func port(of server: StoreKind) -> Int32 {
    server == .etcd && hasEtcd ? etcdProxy.port : number(server, "PORT")
  }

  static var areRunning: Bool {
    [StoreKind.redis, .postgresql].allSatisfy { port(of: $0) != 0 }
  }

  /// Not every distribution has etcd, so the tests of the others do not need it.
  static var hasEtcd: Bool { number(.etcd, "PORT") != 0 }

  /// The stores whose servers are running.
  static let kinds = StoreKind.allCases.filter { $0 != .etcd || hasEtcd }

  /// etcd has no command that cuts connections.
  private static let etcdProxy = Proxy(to: number(.etcd, "PORT"))

  /// The schema of PostgreSQL is made once.
  static func store(_ kind: StoreKind) throws -> any SharedStore {
    if kind == .postgresql { try schema.get() }
    return kind.store(port: port(of: kind))
  }

  private static let schema = Result {
    let connection = try PostgreSQLConnection(port: port(of: .postgresql))
    for statement in PostgreSQLSchema.statements { try connection.execute(statement) }
  }

  /// The processes that serve connections.
  private static func processes(of server: StoreKind) throws -> [Int32] {
    try processes(of: number(server, "PID"))
  }

  /// The process of a server and its children, which PostgreSQL has.
  static func processes(of server: Int32) throws -> [Int32] {
    let children = try String(
      contentsOfFile: "/proc/\(server)/task/\(server)/children", encoding: .utf8)
    return [server] + children.split(separator: " ").compactMap { Int32($0) }
  }

  /// Stops a server for a time, as a virtual machine that is moved.
  static func pause(_ server: StoreKind, for time: Duration) async throws {
    let processes = try processes(of: server)
    for process in processes { kill(process, SIGSTOP) }
    try? await Task.sleep(for: time)
    for process in processes { kill(process, SIGCONT) }
  }

  /// Cuts all connections.
  static func cutConnections(of server: StoreKind) throws {
    switch server {
    case .redis:
      try RedisConnection(port: port(of: server)).call(["CLIENT", "KILL", "TYPE", "normal"])
    case .etcd: etcdProxy.cutConnections()
    case .postgresql:
      try PostgreSQLConnection(port: port(of: server)).query(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid <> pg_backend_pid() AND client_port IS NOT NULL
        """, [])
    }
  }
}

/// The tests run one after the other, since they stop servers that all of them use.
@Suite(
  .serialized,
  .enabled(if: Servers.areRunning, "SKIPPED: run Scripts/integrations, which starts the servers."))
struct IntegrationTests {}

@Suite struct AvailabilityTests {
  @Test(.enabled(if: ProcessInfo.processInfo.environment["CI"] != nil))
  func `in CI the servers are running`() {
    #expect(Servers.areRunning)
  }
}
