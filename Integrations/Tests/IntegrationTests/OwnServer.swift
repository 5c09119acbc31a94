import Escapement
import Foundation
import StoreClients

/// A server of a test's own, which the test kills and starts again.
final class OwnServer {
  private let kind: StoreKind
  let port: Int32
  private let folder: URL
  private let arguments: [String]
  private var process: Process?

  /// Starts a server with data of its own.
  ///
  /// - Parameters:
  ///   - kind: The kind of server.
  ///   - settings: Further arguments of the server.
  ///   - primary: The server of which this one is a replica; `nil` if it is none.
  convenience init(
    _ kind: StoreKind, _ settings: [String], replicaOf primary: OwnServer? = nil
  ) async throws {
    try self.init(kind, settings, replicaOf: primary, port: try Self.freePort())
    try await start()
    if kind == .postgresql, primary == nil {
      let connection = try PostgreSQLConnection(port: port)
      for statement in PostgreSQLSchema.statements { try connection.execute(statement) }
    }
  }

  /// Starts the members of an etcd cluster, and waits until they have a leader.
  ///
  /// - Returns: The members, the leader first.
  static func etcdCluster(of count: Int) async throws -> [OwnServer] {
    let ports = try (0..<count).map { _ in (client: try freePort(), peer: try freePort()) }
    let cluster = ports.map { "\($0.peer)=http://127.0.0.1:\($0.peer)" }.joined(separator: ",")
    let members = try ports.map { ports in
      try OwnServer(
        .etcd, ["--initial-cluster", cluster], replicaOf: nil, port: ports.client, peer: ports.peer)
    }
    // A member accepts connections when most of them have elected a leader.
    for member in members { try member.launch() }
    for member in members { try await member.start() }
    let leader = try members.firstIndex { try EtcdConnection(port: $0.port).isLeader() } ?? 0
    return [members[leader]] + members.indices.filter { $0 != leader }.map { members[$0] }
  }

  private init(
    _ kind: StoreKind, _ settings: [String], replicaOf primary: OwnServer?, port number: Int32,
    peer: Int32? = nil
  ) throws {
    self.kind = kind
    port = number
    folder = URL(filePath: Self.variable("SERVERS")).appending(path: "\(UUID())")
    let (port, path) = ("\(port)", folder.path)
    switch kind {
    case .redis:
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      arguments =
        ["--port", port, "--bind", "127.0.0.1", "--dir", path, "--save", ""]
        + ["--pidfile", "\(path)/redis.pid", "--daemonize", "no"] + settings
        + (primary.map { ["--replicaof", "127.0.0.1", "\($0.port)"] } ?? [])
    case .postgresql:
      if let primary {
        let command = Self.variable("POSTGRESQL_COMMAND").dropLast("postgres".count)
        try Self.run(
          "\(command)pg_basebackup -h 127.0.0.1 -p \(primary.port) -U escapement -D '\(path)' "
            + "--write-recovery-conf --checkpoint=fast --no-sync")
      } else {
        try Self.run("cp -a '\(Self.variable("POSTGRESQL_TEMPLATE"))' '\(path)'")
      }
      arguments =
        ["-D", path, "-p", port, "-c", "listen_addresses=127.0.0.1"]
        + ["-c", "unix_socket_directories="] + settings
    case .etcd:
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      let peer = try peer ?? Self.freePort()
      let (client, own) = ("http://127.0.0.1:\(port)", "http://127.0.0.1:\(peer)")
      arguments =
        ["--name", "\(peer)", "--data-dir", "\(path)/data"]
        + ["--listen-client-urls", client, "--advertise-client-urls", client]
        + ["--listen-peer-urls", own, "--initial-advertise-peer-urls", own]
        + (settings.isEmpty ? ["--initial-cluster", "\(peer)=\(own)"] : settings)
    }
  }

  deinit { kill() }

  var store: any SharedStore { kind.store(port: port, connections: 1) }

  /// Starts the server, and waits until it accepts connections.
  func start() async throws {
    for attempt in 0... {
      if process?.isRunning != true { try launch() }
      do {
        switch kind {
        case .redis: try RedisConnection(port: port).call(["PING"])
        case .postgresql: _ = try PostgreSQLConnection(port: port)
        case .etcd: _ = try EtcdConnection(port: port).isLeader()
        }
        return
      } catch  where attempt < 600 {
        try await Task.sleep(for: .milliseconds(100))
      }
    }
  }

  private func launch() throws {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    let command = Self.variable("\(kind.rawValue.uppercased())_COMMAND")
    process.arguments = ["-c", "exec \(command) \"$@\"", "sh"] + arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    self.process = process
    // The others write such a file themselves. With it, the script ends them if the test cannot.
    if kind == .etcd {
      try "\(process.processIdentifier)"
        .write(to: folder.appending(path: "etcd.pid"), atomically: true, encoding: .utf8)
    }
  }

  /// Ends all processes of the server with SIGKILL.
  func kill() {
    guard let process, process.isRunning else { return }
    let processes = (try? Servers.processes(of: process.processIdentifier)) ?? []
    for process in processes { Foundation.kill(process, SIGKILL) }
    process.waitUntilExit()
  }

  private static func run(_ command: String) throws {
    let process = try Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", command])
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CommandError(command: command) }
  }

  private struct CommandError: Error {
    let command: String
  }

  private static func variable(_ name: String) -> String {
    ProcessInfo.processInfo.environment["ESCAPEMENT_\(name)"]!
  }

  /// A port that no process uses now.
  private static func freePort() throws -> Int32 {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { address in
      address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
      }
    }
    guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
    return Int32(UInt16(bigEndian: address.sin_port))
  }
}
