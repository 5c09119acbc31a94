// A decision that many processes share exists three times: as a Lua script, as a function of
// PostgreSQL, and in Swift, for `InMemoryStore`. The unit tests compare the Swift code with the
// reference model of the quotas, and the tests of `Integrations` compare the script and the
// function with the Swift code, with the same random operations and a clock that the test sets,
// also back. For that they replace the expression that reads the time.
//
// Numbers. Lua has floating-point numbers, which represent integers up to 2^53. So stores count
// microseconds, and `SharedQuota` refuses quotas whose numbers are larger. Instants are absolute,
// but the state of a bucket is what is missing at the time of the last grant, because instants in
// units of a permit would need more bits.
//
// Order. Redis runs one script at a time. In PostgreSQL, a statement sees what was committed before
// it began, also if it then waits for a lock. So the function takes an advisory lock first; each of
// its statements sees what the previous holder has committed.
//
// Denials write nothing, so that a client that asks too often costs little.
//
// Calls that requests share. With more than two calls for a key under way, their processes would
// wait for the lock of the key in the store. So `SharedQuotaStateMachine` collects the requests
// that come meanwhile, and asks for the sum of their permits. The store does not know of this. A
// grant of the sum is the same as grants of all of them at one instant. After a denial of the sum,
// which decides nothing, the first request is asked for alone. A denial of it also decides about
// all others of the call that want as many permits, because they began before it was sent. Requests
// of *n* sizes need *n* calls then, however many they are.
//
// Late answers. A call runs in a task of its own, which the caller may leave (`FirstResult`). If
// the answer is a grant that no caller waits for, `SharedQuotaStateMachine` keeps it for the next
// one. Giving it back to the store would not be right: the bucket may have filled in the meantime,
// and the permits would come on top.
//
// Leases. `LeaseRecord` is what the store knows, and `LeaseStateMachine` what a replica knows.
// `LeaseModelTests` takes two replicas and a store through all orders of their events.

/// A store that many processes share, such as Redis, Valkey or PostgreSQL.
///
/// Conform the client that you have. The method performs a command in one round trip: a Lua script
/// or an SQL statement, with a key and numbers. The store decides, with its own clock. So the
/// clocks of the processes do not matter. ``StoreCommand/decision(for:at:)`` decides for a store
/// without scripts that can replace a value if it is still the one that was read.
///
/// ``InMemoryStore`` is a store for tests.
public protocol SharedStore: Sendable {
  /// Performs a command, and returns the numbers with which the store answers.
  ///
  /// It begins on the thread of a caller of the limiter, so it must not block: a caller whose
  /// thread is blocked waits for longer than its timeout. Call a client that blocks on a dispatch
  /// queue or a thread of its own.
  ///
  /// - Parameter command: What the store has to decide.
  /// - Returns: The integers of the reply: the array that the script or the function returns.
  /// - Throws: Any error, if the store does not answer. Perform the command at most once: a client
  ///   that repeats it may take permits twice.
  func perform(_ command: StoreCommand) async throws -> [Int64]
}

/// A shared store has not made a decision.
public enum SharedStoreError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The store did not answer in this time.
  case timedOut(after: Duration)
  /// The store has this number of waiting requests already.
  case tooManyRequests(Int)
  /// The reply is not one of the script or the function.
  case unexpectedReply([Int64])
  /// The stored text is not a state of the command.
  case unexpectedState(String)

  /// The event, its likely cause, and the remedy.
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
    case .unexpectedState(let state):
      """
      The store has \(String(decoding: state.utf8.prefix(100), as: UTF8.self).debugDescription), which is not a state of this quota or lease. Store \
      the text of 'newState' without changes, under the key of the command, where nothing else writes.
      """
    }
  }
}
