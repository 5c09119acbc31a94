import CAllocations

/// Counts how often memory is allocated, by whatever part of the process.
enum AllocationCount {
  /// The calls of `malloc` and its relatives during `body`, or `nil` where they cannot be counted.
  static func during(
    _ body: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> Int? {
    guard isTrustworthy else {
      try await body()
      return nil
    }
    allocations_begin()
    do {
      try await body()
    } catch {
      _ = allocations_end()
      throw error
    }
    return Int(allocations_end())
  }

  /// Whether an allocation of the Swift runtime, which is another library, is noticed.
  private static let isTrustworthy: Bool = {
    guard allocations_can_be_counted() else { return false }
    allocations_begin()
    UnsafeMutableRawPointer.allocate(byteCount: 8, alignment: 8).deallocate()
    return allocations_end() > 0
  }()
}
