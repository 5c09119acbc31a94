import Escapement
import EscapementVirtualTime

/// What needs a task around it.
struct Tasks {
  let calls: Int

  // Concurrent, so that it is on the pool of threads, as in a server.
  @concurrent func measure(_ subject: Subject, batches: Int) async throws -> Measurement {
    switch subject {
    case .firstAction:
      try await settled(batches) { RateLimiter(rate: .seconds(1)).execute {} }
    case .sleepingTask:
      try await settled(batches) { Task { try await Task.sleep(for: .seconds(1)) }.cancel() }
    case .deadline:
      try await repeated(batches) { try await withDeadline(in: .seconds(3600)) {} }
    case .sleepingGroup:
      await repeated(batches) { await group { try? await Task.sleep(for: .seconds(3600)) } }
    default:
      await repeated(batches) { await group {} }
    }
  }

  /// Two children, of which the first to end cancels the other.
  private func group(_ other: @escaping @Sendable () async -> Void) async {
    await withTaskGroup { group in
      group.addTask {}
      group.addTask { await other() }
      await group.next()
      group.cancelAll()
      await group.waitForAll()
    }
  }

  private func repeated(
    _ batches: Int, _ body: nonisolated(nonsending) () async throws -> Void
  ) async rethrows -> Measurement {
    try await Measurement.of(batches: batches) {
      for _ in 0..<calls { try await body() }
      return calls
    }
  }

  /// In virtual time, which tells when the tasks that were left behind have ended.
  private func settled(
    _ batches: Int, _ body: @escaping @Sendable () -> Void
  ) async throws -> Measurement {
    let calls = calls
    return try await Measurement.of(batches: batches) {
      try await withVirtualTime { time in
        for _ in 0..<calls { body() }
        await time.settle()
      }
      return calls
    }
  }
}
