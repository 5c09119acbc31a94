import Escapement
import StoreClients

/// A server whose clock the test sets: the scripts and functions read the time from the store.
final class ClockedStore: Sendable {
  private let perform: @Sendable (StoreCommand, Int64) async throws -> [Int64]

  /// - Parameters:
  ///   - kind: The kind of server.
  ///   - modulus: The modulus of the sums of permits in windows, a power of two; `nil` for that of the store.
  init(_ kind: StoreKind, modulus: Int64? = nil) async throws {
    let port = Servers.port(of: kind)
    switch kind {
    case .etcd:
      let store = PooledStore<EtcdConnection>(port: port, connections: 1)
      perform = { command, now in
        try await store.withConnection { try $0.perform(command) { .microseconds(now) } }
      }
    case .redis:
      let store = PooledStore<RedisConnection>(port: port, connections: 1)
      // The expiry follows the real clock.
      let scripts = [
        LuaScripts.quotaDigest: LuaScripts.quota, LuaScripts.leaseDigest: LuaScripts.lease,
      ]
      .mapValues { script in
        script.replacing("call('TIME')", with: "call('HMGET', 'clock', 's', 'us')")
          .replacing("call('PEXPIREAT', key, ceil(now + span, 1000) + 1)", with: "")
          .replacing("\(1 << 52 as Int64)", with: "\(modulus ?? 1 << 52)")
      }
      perform = { command, now in
        try await store.withConnection {
          try $0.call(["HSET", "clock", "s", "\(now / 1_000_000)", "us", "\(now % 1_000_000)"])
          return try $0.perform(command, script: scripts[command.luaDigest]!)
        }
      }
    case .postgresql:
      let store = PooledStore<PostgreSQLConnection>(port: port, connections: 1)
      let schema = "clocked_\(UInt32.random(in: 0 ... .max))"
      let clock = "date_part('epoch', clock_timestamp()) * 1000000"
      try await store.withConnection { connection in
        try connection.execute("CREATE SCHEMA \(schema)")
        try connection.execute("SET search_path TO \(schema)")
        try connection.execute("CREATE TABLE clock (now bigint)")
        try connection.execute("INSERT INTO clock VALUES (0)")
        for statement in PostgreSQLSchema.statements {
          try connection.execute(
            statement.replacing(clock, with: "(SELECT clock.now FROM clock)")
              .replacing("\(1 << 62 - 1 as Int64)", with: "\((modulus ?? 1 << 62) - 1)"))
        }
      }
      perform = { command, now in
        try await store.withConnection {
          try $0.execute("UPDATE clock SET now = \(now)")
          return try $0.perform(command)
        }
      }
    }
  }

  /// Performs a command at an instant, in microseconds.
  func perform(_ command: StoreCommand, at now: Int64) async throws -> [Int64] {
    try await perform(command, now)
  }
}

extension RedisConnection {
  fileprivate func perform(_ command: StoreCommand, script: String) throws -> [Int64] {
    let arguments = command.arguments.map(String.init)
    guard case .array(let replies) = try call(["EVAL", script, "1", command.key] + arguments)
    else { return [] }
    return replies.compactMap { if case .number(let number) = $0 { number } else { nil } }
  }
}
