public import Escapement

/// A kind of server.
public enum StoreKind: String, CaseIterable, Sendable {
  case redis, postgresql

  /// Connects to a server on this machine.
  public func store(port: Int32, connections: Int = 4) -> any SharedStore {
    switch self {
    case .redis: PooledStore<RedisConnection>(port: port, connections: connections)
    case .postgresql: PooledStore<PostgreSQLConnection>(port: port, connections: connections)
    }
  }
}
