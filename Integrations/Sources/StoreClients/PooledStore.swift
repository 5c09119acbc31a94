import Dispatch
public import Escapement
import Synchronization

/// A connection to a store whose calls block.
public protocol BlockingConnection: SendableMetatype {
  /// Connects to a server on this machine.
  init(port: Int32) throws

  /// Performs a command of a quota or a lease.
  func perform(_ command: StoreCommand) throws -> [Int64]
}

/// A server did not do what it was asked.
public struct ServerError: Error, CustomStringConvertible {
  /// The message of the server or the client.
  public let description: String

  init(_ description: String) { self.description = description }
}

/// A store with some connections, each on a queue of its own.
public final class PooledStore<Connection: BlockingConnection>: SharedStore {
  private let members: [Member]
  /// The members that are free, the one that was used last at the end.
  ///
  /// The caches may still have what the server needs for that one.
  private let free: Mutex<[Member]>

  /// Creates a store, which connects when it is used.
  public init(port: Int32, connections: Int = 4) {
    let members = (0..<connections).map { _ in Member(port: port) }
    self.members = members
    free = Mutex(members)
  }

  /// Performs a command on one of the connections.
  public func perform(_ command: StoreCommand) async throws -> [Int64] {
    try await withConnection { try $0.perform(command) }
  }

  /// Calls a function with one of the connections, which has failed if the function throws.
  public func withConnection<Value: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Value
  ) async throws -> Value {
    let member = free.withLock { $0.popLast() }
    return try await withCheckedThrowingContinuation { continuation in
      (member ?? members.randomElement()!).run(body) { result in
        // The caller may call again as soon as it goes on.
        if let member { self.free.withLock { $0.append(member) } }
        continuation.resume(with: result)
      }
    }
  }

  /// A connection, which is replaced after an error.
  ///
  /// Unchecked because its state is only used on its queue.
  private final class Member: @unchecked Sendable {
    private let queue = DispatchQueue(label: "connection")
    private let port: Int32
    private var connection: Connection?

    init(port: Int32) { self.port = port }

    func run<Value: Sendable>(
      _ body: @escaping @Sendable (Connection) throws -> Value,
      completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
      queue.async { [self] in
        completion(
          Result {
            let connection = try self.connection ?? Connection(port: port)
            self.connection = nil
            let value = try body(connection)
            self.connection = connection
            return value
          })
      }
    }
  }
}
