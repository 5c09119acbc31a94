public import Escapement

/// A kind of server.
public enum Server: String, CaseIterable, Sendable {
  case redis, postgresql, etcd
}

/// A kind of store.
public enum StoreKind: String, CaseIterable, Sendable {
  case redis, postgresql
  /// Replaces what it has read, and decides in the process of the client.
  case watchedRedis
  /// The same with etcd, whose members elect a leader.
  case etcd

  /// The server of the store.
  public var server: Server {
    switch self {
    case .redis, .watchedRedis: .redis
    case .postgresql: .postgresql
    case .etcd: .etcd
    }
  }

  /// Connects to a server on this machine.
  public func store(port: Int32, connections: Int = 4) -> any SharedStore {
    switch self {
    case .redis: PooledStore<RedisConnection>(port: port, connections: connections)
    case .watchedRedis: PooledStore<WatchedRedisConnection>(port: port, connections: connections)
    case .postgresql: PooledStore<PostgreSQLConnection>(port: port, connections: connections)
    case .etcd: PooledStore<EtcdConnection>(port: port, connections: connections)
    }
  }
}
