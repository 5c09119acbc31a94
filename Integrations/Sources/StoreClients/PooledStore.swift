import Dispatch
public import Escapement

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

  /// Creates a store, which connects when it is used.
  public init(port: Int32, connections: Int = 4) {
    members = (0..<connections).map { _ in Member(port: port) }
  }

  /// Performs a command on one of the connections.
  public func perform(_ command: StoreCommand) async throws -> [Int64] {
    try await withConnection { try $0.perform(command) }
  }

  /// Calls a function with one of the connections, which has failed if the function throws.
  public func withConnection<Result: Sendable>(
    _ body: @escaping @Sendable (Connection) throws -> Result
  ) async throws -> Result {
    try await members.randomElement()!.run(body)
  }

  /// A connection, which is replaced after an error.
  ///
  /// Unchecked because its state is only used on its queue.
  private final class Member: @unchecked Sendable {
    private let queue = DispatchQueue(label: "connection")
    private let port: Int32
    private var connection: Connection?

    init(port: Int32) { self.port = port }

    func run<Result: Sendable>(
      _ body: @escaping @Sendable (Connection) throws -> Result
    ) async throws -> Result {
      try await withCheckedThrowingContinuation { continuation in
        queue.async { [self] in
          do {
            let connection = try self.connection ?? Connection(port: port)
            self.connection = nil
            let result = try body(connection)
            self.connection = connection
            continuation.resume(returning: result)
          } catch {
            continuation.resume(throwing: error)
          }
        }
      }
    }
  }
}
