/// A store that many processes share, such as Redis, Valkey or PostgreSQL.
///
/// Conform the client that you have. The method performs a command in one round trip: a Lua script or an
/// SQL statement, with a key and numbers. The store decides, with its own clock. So the clocks of the processes
/// do not matter.
///
/// ``InMemoryStore`` is a store for tests.
public protocol SharedStore: Sendable {
  /// Performs a command, and returns the numbers with which the store answers.
  ///
  /// It begins on the thread of a caller of the limiter, so it must not block: a caller whose thread is blocked waits
  /// for longer than its timeout. Call a client that blocks on a dispatch queue or a thread of its own.
  ///
  /// - Parameter command: What the store has to decide.
  /// - Returns: The integers of the reply: the array that the script or the function returns.
  /// - Throws: Any error, if the store does not answer. Perform the command at most once: a client that repeats
  ///   it may take permits twice.
  func perform(_ command: StoreCommand) async throws -> [Int64]
}

/// A shared store has not made a decision.
public enum SharedStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The store did not answer in this time.
  case timedOut(after: Duration)
  /// So many requests wait for the store already.
  case tooManyRequests(Int)
  /// The reply is not one of the script or the function.
  case unexpectedReply([Int64])

  /// What happened, what it may mean, and what to do.
  public var description: String {
    switch self {
    case .timedOut(let time):
      """
      The store did not answer within \(time). It may be down, or its connections may be busy. If it answers \
      later than that in normal operation, pass a longer 'timeout', or give the lease a longer 'duration'.
      """
    case .tooManyRequests(let count):
      """
      As many requests as 'maximumRequests' allows wait for the store already (\(count)), so it was not asked. \
      It may be down or slow. If it is not, pass a larger 'maximumRequests', or give the client more connections.
      """
    case .unexpectedReply(let reply):
      """
      The store replied \(reply), which is not a decision. Return the array of the script or the function \
      without changes, and check that the functions in the database are those of this version \
      ('PostgreSQLSchema').
      """
    }
  }
}
