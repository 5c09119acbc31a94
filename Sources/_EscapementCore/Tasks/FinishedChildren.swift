/// Counts the finished tasks of a group whose results are not used.
///
/// A group keeps the result of each child until it is taken. A loop that adds children for ever
/// takes those of the finished ones, so that the group does not grow. Discarding groups do this by
/// themselves, but need macOS 14, and let the loop go on when a child has failed.
package final class FinishedChildren: Sendable {
  private let count = Lock(0)

  /// No child has finished.
  package init() {}

  /// Runs the operation of a child, and counts the child as finished.
  package func run(_ operation: () async throws -> Void) async throws {
    defer { count.withLock { $0 += 1 } }
    try await operation()
  }

  /// Takes the results of the children that have finished, and returns how many there were.
  ///
  /// - Throws: The error of the first that has failed.
  @discardableResult
  package func takeResults(
    of group: inout ThrowingTaskGroup<Void, any Error>
  ) async throws -> Int {
    let finished = count.withLock { count in
      defer { count = 0 }
      return count
    }
    for _ in 0..<finished { try await group.next() }
    return finished
  }

  /// Waits until a child has finished, and takes its result.
  ///
  /// - Throws: The error of the child.
  package func takeNext(of group: inout ThrowingTaskGroup<Void, any Error>) async throws {
    defer { count.withLock { $0 -= 1 } }
    try await group.next()
  }
}
