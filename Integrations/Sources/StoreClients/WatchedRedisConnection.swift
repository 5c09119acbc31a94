public import Escapement

/// A connection to Redis that does not let it compute: it replaces a value if that is still the one
/// that was read, as etcd, DynamoDB and others can do too.
public final class WatchedRedisConnection: BlockingConnection {
  private let redis: RedisConnection

  /// Connects to a server on this machine.
  public init(port: Int32) throws { redis = try RedisConnection(port: port) }

  /// Performs a command with the server's clock.
  public func perform(_ command: StoreCommand) throws -> [Int64] {
    try perform(command, expires: true) {
      let time = try redis.call(["TIME"]).texts.compactMap { Int64($0) }
      guard time.count == 2 else { throw ServerError("Redis does not tell the time.") }
      return .seconds(time[0]) + .microseconds(time[1])
    }
  }

  /// Performs a command with any clock.
  ///
  /// Another command for the key may come between. Then it has decided, and this one begins again.
  public func perform(
    _ command: StoreCommand, expires: Bool, now: () throws -> Duration
  ) throws -> [Int64] {
    let key = "watched:" + command.key
    while true {
      try redis.call(["WATCH", key])
      let state = try redis.call(["GET", key]).text
      let decision = try command.decision(for: state, at: try now())
      guard let newState = decision.newState else {
        try redis.call(["UNWATCH"])
        return decision.reply
      }
      // Redis counts in milliseconds, so the lifetime is rounded up.
      let lifetime = expires ? decision.lifetime : nil
      let expiry = lifetime.map { ["PX", "\(Int64($0 / .milliseconds(1)) + 1)"] } ?? []
      try redis.call(["MULTI"])
      try redis.call(["SET", key, newState] + expiry)
      if case .array = try redis.call(["EXEC"]) { return decision.reply }
    }
  }
}
