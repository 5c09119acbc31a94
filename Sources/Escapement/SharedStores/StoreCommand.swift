import _EscapementCore

/// A decision that a ``SharedStore`` makes in one round trip.
///
/// For Redis and Valkey it is a script with one key and some arguments:
///
/// ```
/// EVAL luaScript 1 key arguments...
/// ```
///
/// For PostgreSQL it is a statement whose parameters `$1` and `$2` are the key, of type `text`, and
/// the arguments, of type `bigint[]`. It returns one row with one column of type `bigint[]`.
public struct StoreCommand: Hashable, Sendable {
  enum Operation: Hashable {
    case quota(Quota, permits: Int, span: Int64)
    case lease(LeaseRequest)
  }

  let operation: Operation
  /// The name of the state in the store.
  ///
  /// It is the only key of the script. So the command works in a cluster.
  public let key: String
  /// The numbers that the store needs, each of at most 53 bits.
  public let arguments: [Int64]

  /// Takes permits of a quota.
  init(_ permits: Int, of shared: SharedQuota, key: String) {
    operation = .quota(shared.quota, permits: permits, span: shared.span)
    self.key = key
    arguments = [Int64(permits), shared.span] + shared.parts
  }

  /// Asks for a lease, or changes it.
  init(_ request: LeaseRequest, key: String) {
    operation = .lease(request)
    self.key = key
    arguments = request.arguments
  }

  /// The script for Redis 5 and later, and for Valkey.
  public var luaScript: String {
    switch operation {
    case .quota: LuaScripts.quota
    case .lease: LuaScripts.lease
    }
  }

  /// The SHA-1 digest of the script, in hexadecimal, for `EVALSHA`.
  ///
  /// If Redis answers `NOSCRIPT`, send the script once.
  public var luaDigest: String {
    switch operation {
    case .quota: LuaScripts.quotaDigest
    case .lease: LuaScripts.leaseDigest
    }
  }

  /// The statement for PostgreSQL, which calls a function of ``PostgreSQLSchema``.
  public var sqlStatement: String {
    switch operation {
    case .quota: "SELECT escapement_take_permits($1, $2)"
    case .lease: "SELECT escapement_change_lease($1, $2)"
    }
  }
}

/// Refuses a name that not all stores can use as a key.
///
/// PostgreSQL cannot store a 0 in a text, and cannot index a text of more than about 2,700 bytes.
func checkStoreKey(_ key: String, argument: String) throws(InvalidArgumentError) {
  guard key.utf8.count <= 1_000 else {
    throw InvalidArgumentError(
      argument, "\(key.prefix(20))...",
      mustBe: "at most 1,000 bytes long in UTF-8 (it has \(key.utf8.count))")
  }
  guard !key.utf8.contains(0) else {
    throw InvalidArgumentError(
      argument, key.debugDescription, mustBe: "without a character 0, which PostgreSQL cannot store"
    )
  }
}
