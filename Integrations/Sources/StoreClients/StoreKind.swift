public import Escapement

/// A kind of server.
public enum Server: String, CaseIterable, Sendable {
  case redis, postgresql
}

/// A kind of store.
public enum StoreKind: String, CaseIterable, Sendable {
  case redis, postgresql
  /// Replaces what it has read, and decides in the process of the client.
  case watchedRedis

  /// The server of the store.
  public var server: Server { self == .postgresql ? .postgresql : .redis }

  /// Connects to a server on this machine.
  public func store(port: Int32, connections: Int = 4) -> any SharedStore {
    switch self {
    case .redis: PooledStore<RedisConnection>(port: port, connections: connections)
    case .watchedRedis: PooledStore<WatchedRedisConnection>(port: port, connections: connections)
    case .postgresql: PooledStore<PostgreSQLConnection>(port: port, connections: connections)
    }
  }
}
