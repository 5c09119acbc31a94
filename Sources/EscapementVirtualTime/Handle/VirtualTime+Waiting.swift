import _EscapementCore

extension VirtualTime {
  /// Runs a wait, and names it in the report if the scope is stuck meanwhile.
  ///
  /// - Parameters:
  ///   - description: Says what is waited for and how much of it has come. Called outside all
  ///     locks, on any thread.
  ///   - isolation: The caller's isolation.
  ///   - body: The wait, on the caller's isolation.
  /// - Returns: What the body returns.
  /// - Throws: What the body throws.
  package func naming<Result, Failure: Error>(
    _ description: @escaping @Sendable () -> String,
    isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws(Failure) -> Result
  ) async throws(Failure) -> Result {
    let id = scope.reports.waits.withLock { $0.begin(description) }
    defer { scope.reports.waits.withLock { $0.end(id) } }
    return try await body()
  }
}

/// The waits of a scope that can be named.
struct NamedWaits {
  typealias Description = @Sendable () -> String

  private var descriptions: [UInt64: Description] = [:]
  private var nextID: UInt64 = 0

  /// The descriptions of the waits that have not ended, in the order in which they began.
  var all: [Description] { descriptions.sorted { $0.key < $1.key }.map(\.value) }

  mutating func begin(_ description: @escaping Description) -> UInt64 {
    defer { nextID += 1 }
    descriptions[nextID] = description
    return nextID
  }

  mutating func end(_ id: UInt64) { descriptions[id] = nil }
}
