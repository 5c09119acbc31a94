import Synchronization

/// Runs a body while tasks keep the pool of threads busy: they compute, yield, and compute again.
package nonisolated(nonsending) func withBusyTasks<Result>(
  _ count: Int, _ body: nonisolated(nonsending) () async throws -> Result
) async rethrows -> Result {
  let tasks = (0..<count).map { index in
    Task.detached {
      var value = UInt64(index)
      while !Task.isCancelled {
        for _ in 0..<10_000 { value = value &* 6_364_136_223_846_793_005 &+ 1 }
        sum.wrappingAdd(value, ordering: .relaxed)
        await Task.yield()
      }
    }
  }
  defer { for task in tasks { task.cancel() } }
  return try await body()
}

/// Keeps the compiler from leaving the computation out.
private let sum = Atomic<UInt64>(0)
