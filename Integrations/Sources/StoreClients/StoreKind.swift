public import Escapement

/// A kind of server that can be a store.
public enum StoreKind: String, CaseIterable, Sendable {
  case redis, postgresql
  /// Replaces what was read, and computes nothing: the process of the client decides.
  case etcd

  /// Connects to a server on this machine.
  public func store(port: Int32, connections: Int = 4) -> any SharedStore {
    switch self {
    case .redis: PooledStore<RedisConnection>(port: port, connections: connections)
    case .postgresql: PooledStore<PostgreSQLConnection>(port: port, connections: connections)
    case .etcd: PooledStore<EtcdConnection>(port: port, connections: connections)
    }
  }
}
