public import Escapement
import Foundation

/// A connection to a member of an etcd cluster, through its JSON gateway.
///
/// etcd computes nothing. It replaces a value if its revision is still the one that was read, so the
/// command decides in this process. The members have no clock to ask for, so the time is that of
/// this process. Keys that are no longer needed stay; a lease of etcd could remove them later.
public final class EtcdConnection: BlockingConnection {
  private let connection: HTTPConnection

  /// Connects to a member on this machine.
  public init(port: Int32) throws { connection = try HTTPConnection(port: port) }

  /// Performs a command with the clock of this process.
  public func perform(_ command: StoreCommand) throws -> [Int64] {
    try perform(command, now: { .nanoseconds(Int64(Date().timeIntervalSince1970 * 1e6) * 1_000) })
  }

  /// Performs a command with any clock.
  ///
  /// Another command for the key may come between. Then it has decided, and this one begins again.
  /// If the reply of a transaction is lost, the connection throws, because nobody knows whether
  /// the value was replaced.
  public func perform(_ command: StoreCommand, now: () -> Duration) throws -> [Int64] {
    let key = Data(command.key.utf8)
    while true {
      let stored = try call("kv/range", KeyValue(key: key)).kvs?.first
      let state = stored?.value.map { String(decoding: $0, as: UTF8.self) }
      let decision = try command.decision(for: state, at: now())
      guard let newState = decision.newState else { return decision.reply }
      let reply = try call(
        "kv/txn",
        Transaction(
          compare: [.init(key: key, mod_revision: stored?.mod_revision ?? "0")],
          success: [.init(request_put: KeyValue(key: key, value: Data(newState.utf8)))]))
      if reply.succeeded == true { return decision.reply }
    }
  }

  /// Whether the member knows the leader of the cluster, and is it.
  public func isLeader() throws -> Bool {
    let status = try call("maintenance/status", [String: String]())
    return status.leader != nil && status.leader == status.header?.member_id
  }

  private func call(_ method: String, _ request: some Encodable) throws -> Reply {
    let body = try JSONEncoder().encode(request)
    return try JSONDecoder().decode(Reply.self, from: try connection.post("/v3/\(method)", body))
  }

  // The names are those of etcd. Integers of 64 bits are texts.

  private struct KeyValue: Codable {
    var key: Data
    var value: Data?
    var mod_revision: String?
  }

  private struct Transaction: Encodable {
    struct Compare: Encodable {
      let target = "MOD"
      let result = "EQUAL"
      let key: Data
      let mod_revision: String
    }

    struct Operation: Encodable { let request_put: KeyValue }

    let compare: [Compare]
    let success: [Operation]
  }

  private struct Reply: Decodable {
    struct Header: Decodable { let member_id: String? }

    let header: Header?
    let kvs: [KeyValue]?
    let succeeded: Bool?
    let leader: String?
  }
}
