import CPostgreSQL
public import Escapement

/// A connection to PostgreSQL.
public final class PostgreSQLConnection: BlockingConnection {
  private let connection: OpaquePointer
  private var prepared: Set<String> = []

  /// Connects to a server on this machine.
  public init(port: Int32) throws {
    let description = """
      host=127.0.0.1 port=\(port) user=escapement dbname=postgres connect_timeout=5 \
      tcp_user_timeout=5000
      """
    guard let connection = PQconnectdb(description) else {
      throw ServerError("There is no memory for a connection.")
    }
    guard PQstatus(connection) == CONNECTION_OK else {
      defer { PQfinish(connection) }
      throw ServerError(String(cString: PQerrorMessage(connection)))
    }
    self.connection = connection
  }

  deinit { PQfinish(connection) }

  /// Performs a command as a prepared statement.
  public func perform(_ command: StoreCommand) throws -> [Int64] {
    let numbers = command.arguments.map(String.init).joined(separator: ",")
    let rows = try query(command.sqlStatement, [command.key, "{\(numbers)}"])
    guard let array = rows.first?.first else { return [] }
    return array.dropFirst().dropLast().split(separator: ",").compactMap { Int64($0) }
  }

  /// Performs a statement, which is prepared when it is used for the first time.
  @discardableResult public func query(
    _ statement: String, _ parameters: [String]
  ) throws -> [[String]] {
    if prepared.insert(statement).inserted {
      try check(PQprepare(connection, statement, statement, 0, nil), PGRES_COMMAND_OK)
    }
    return try withCStrings(parameters) { pointers in
      try check(
        PQexecPrepared(
          connection, statement, Int32(pointers.count), pointers, nil, nil, 0),
        PGRES_TUPLES_OK)
    }
  }

  /// Performs statements without results.
  public func execute(_ statement: String) throws {
    try check(PQexec(connection, statement), PGRES_COMMAND_OK)
  }

  @discardableResult private func check(
    _ result: OpaquePointer?, _ expected: ExecStatusType
  ) throws -> [[String]] {
    defer { PQclear(result) }
    let status = PQresultStatus(result)
    guard status == expected || status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK else {
      throw ServerError(String(cString: PQerrorMessage(connection)))
    }
    return (0..<PQntuples(result)).map { row in
      (0..<PQnfields(result)).map { String(cString: PQgetvalue(result, row, $0)) }
    }
  }

  private func withCStrings<Result>(
    _ strings: [String], _ body: ([UnsafePointer<CChar>?]) throws -> Result
  ) throws -> Result {
    func append(
      _ index: Int, _ pointers: [UnsafePointer<CChar>?]
    ) throws -> Result {
      guard index < strings.count else { return try body(pointers) }
      return try strings[index].withCString { try append(index + 1, pointers + [$0]) }
    }
    return try append(0, [])
  }
}
